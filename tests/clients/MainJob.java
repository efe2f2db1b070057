// The main job of the service, done with a client that was generated from its description: java MainJob <address> <owner key> <analyst key> <analyst id> <recorded texts>
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.BudgetsApi;
import org.openapitools.client.api.DatasetsApi;
import org.openapitools.client.api.GrantsApi;
import org.openapitools.client.api.PlansApi;
import org.openapitools.client.api.PosteriorsApi;
import org.openapitools.client.api.ReleasesApi;
import org.openapitools.client.model.*;

public final class MainJob {
  private static final BigDecimal ONE = BigDecimal.ONE;

  private static Source source(String releaseId) {
    return new Source(new ReleaseSource().kind(ReleaseSource.KindEnum.RELEASE).releaseId(releaseId));
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient owner = client(arguments[0], arguments[1]);
    ApiClient analyst = client(arguments[0], arguments[2]);
    String analystId = arguments[3];

    // Each line has a schema and a paid text, which the class reads and writes without a loss.
    ObjectMapper mapper = owner.getObjectMapper();
    for (String line : Files.readAllLines(Path.of(arguments[4]))) {
      String[] parts = line.split("\t", 2);
      Object read = mapper.readValue(parts[1], Class.forName("org.openapitools.client.model." + parts[0]));
      compare(mapper.readTree(parts[1]), mapper.valueToTree(read), parts[0]);
    }

    // Register, and once more as after a lost answer.
    BudgetCreate budget =
        new BudgetCreate()
            .accountant(AccountantName.BASIC)
            .name("Polio 1954, from Java")
            .epsilon(ONE)
            .delta(new BigDecimal("1e-6"));
    NewBudget fresh = new NewBudget().kind(NewBudget.KindEnum.NEW).budget(budget);
    DatasetCreate body =
        new DatasetCreate()
            .name("Vaccinated, from Java")
            .labels(List.of("paralytic polio", "none"))
            .counts(List.of(33L, 200_712L))
            .unit("one child")
            .oneRecordPerUnit(DatasetCreate.OneRecordPerUnitEnum.TRUE)
            .nIsPublic(true)
            .budget(new BudgetOfDataset(fresh));
    DatasetsApi datasets = new DatasetsApi(owner);
    Dataset dataset = datasets.createDataset(body, "registration-1");
    ApiResponse<Dataset> repeated = datasets.createDatasetWithHttpInfo(body, "registration-1");
    check(repeated.getData().equals(dataset), "a repeated registration has another answer");
    check(repeated.getHeaders().containsKey("idempotency-replayed"), "it is not marked as a repetition");

    // Grant.
    GrantCreate cap = new GrantCreate().principalId(analystId).epsilon(new BigDecimal("0.5")).delta(BigDecimal.ZERO);
    Grant grant = new GrantsApi(owner).createGrant(dataset.getId(), cap, null);
    check(grant.getCap().getEpsilon().equals(new BigDecimal("0.5")), "the cap is another one");

    // Release, replay, and a refusal as a typed problem.
    ReleasesApi releases = new ReleasesApi(analyst);
    SimplexGeometric geometric =
        new SimplexGeometric().kind(SimplexGeometric.KindEnum.SIMPLEX_GEOMETRIC).epsilon(new BigDecimal("0.4"));
    ReleaseCreate wanted = counts(List.of(ONE, ONE), geometric);
    CountsRelease first = releases.createRelease(dataset.getId(), "vaccinated-1", wanted).getCountsRelease();
    check(
        releases.createRelease(dataset.getId(), "vaccinated-1", wanted).getCountsRelease().equals(first),
        "the replay differs");
    ProblemDocument refused =
        problem(analyst, () -> releases.createRelease(dataset.getId(), "vaccinated-2", wanted));
    check(refused.getType() == ProblemDocument.TypeEnum._PROBLEMS_GRANT_EXHAUSTED, refused.getDetail());
    check(!refused.getCharged() && !refused.getRetryable(), "it says that it was charged, or can be sent again");
    Amount left = refused.getLargestPossibleCharge();
    check(left.getEpsilon().equals(new BigDecimal("0.1")), "another charge is left");

    // Pages.
    List<String> kinds = new ArrayList<>();
    String cursor = "";
    while (cursor != null) {
      LedgerEntryPage page = new BudgetsApi(owner).listLedger(dataset.getBudgetId(), cursor, 2L);
      page.getItems().forEach(entry -> kinds.add(entry.getKind().getValue()));
      cursor = page.getNextCursor();
    }
    check(
        kinds.equals(List.of("budget_opened", "dataset_registered", "grant_opened", "release_charged")),
        kinds.toString());

    // The posterior by its defaults. This generator's methods for texts, such as the ledger, read JSON only.
    PosteriorsApi posteriors = new PosteriorsApi(analyst);
    NoiseAwarePosterior posterior =
        posteriors.computePosterior(new PosteriorCreate().addSourcesItem(source(first.getId())), null).getNoiseAwarePosterior();
    check(posterior.getCategories().get(0).getInterval().getLevel().doubleValue() == 0.95, "another level");

    // A plan, a quote and a release of a cross table; one question in each stratum; a wrong one, as a typed problem.
    List<Attribute> levels =
        List.of(
            new Attribute().name("sex").levels(List.of("men", "women")),
            new Attribute().name("admitted").levels(List.of("yes", "no")));
    ExistingBudget existing = new ExistingBudget().kind(ExistingBudget.KindEnum.EXISTING).id(dataset.getBudgetId());
    DatasetCreate table =
        new DatasetCreate()
            .name("Admissions, from Java")
            .attributes(levels)
            .counts(List.of(1198L, 1493L, 557L, 1278L))
            .unit("one person")
            .oneRecordPerUnit(DatasetCreate.OneRecordPerUnitEnum.TRUE)
            .nIsPublic(true)
            .budget(new BudgetOfDataset(existing));
    Dataset admissions = datasets.createDataset(table, "registration-2");
    check(admissions.getLabels().get(0).equals("men · yes"), admissions.getLabels().toString());
    new GrantsApi(owner).createGrant(admissions.getId(), cap, null);
    Cells yes = new Cells().where(Map.of("admitted", List.of("yes")));
    Question admitted = new Question(new ShareQuestion().kind(ShareQuestion.KindEnum.SHARE).of(yes));
    StratifiedQuestion by = new StratifiedQuestion().attributes(List.of("sex")).question(admitted);
    List<BigDecimal> ones = Collections.nCopies(4, ONE);
    HypotheticalCounts guess =
        new HypotheticalCounts().kind(HypotheticalCounts.KindEnum.COUNTS).counts(List.of(1200L, 1500L, 560L, 1280L));
    PlanCreate planned =
        new PlanCreate()
            .prior(ones)
            .data(new Hypothetical(guess))
            .epsilons(List.of(new BigDecimal("0.4")))
            .attributes(levels)
            .by(by);
    List<String> strata = new ArrayList<>();
    new PlansApi(analyst).createPlan(planned, null).getWithoutNoise().forEach(each -> strata.add(each.getStratum()));
    check(strata.equals(Arrays.asList(null, "men", "women")), strata.toString());
    ReleaseCreate bought = counts(ones, geometric);
    CountsQuote quoted = releases.createQuote(admissions.getId(), bought, null).getCountsQuote();
    check(quoted.getWouldCharge().getEpsilon().equals(new BigDecimal("0.4")), "another quote");
    CountsRelease second = releases.createRelease(admissions.getId(), "admissions-1", bought).getCountsRelease();

    // Margins and queries at the same address.
    MarginsCreate pairs =
        new MarginsCreate().kind(MarginsCreate.KindEnum.MARGINS).all(1L).epsilon(new BigDecimal("0.05"));
    MarginsRelease margins =
        releases.createRelease(admissions.getId(), "margins-1", new ReleaseCreate(pairs)).getMarginsRelease();
    check(margins.getTables().get(0).getEstimates().size() == 2, "another table");
    QueryCreate asked =
        new QueryCreate()
            .kind(QueryCreate.KindEnum.QUERIES)
            .addQueriesItem(new Query().of(yes).halfWidth(new BigDecimal(30)))
            .maxCharge(new MaxCharge().epsilon(new BigDecimal("0.05")));
    QueryRelease counted =
        releases.createRelease(admissions.getId(), "queries-1", new ReleaseCreate(asked)).getQueryRelease();
    check(counted.getAnswers().get(0).getInterval().getHalfWidth().doubleValue() <= 30, "a wider interval");
    List<String> answered = new ArrayList<>();
    NoiseAwarePosterior bySex =
        posteriors
            .computePosterior(new PosteriorCreate().addSourcesItem(source(second.getId())).by(by), null)
            .getNoiseAwarePosterior();
    bySex.getBy().getStrata().forEach(each -> answered.add(each.getLabel()));
    check(answered.equals(List.of("men", "women")), answered.toString());
    PosteriorCreate unknown =
        new PosteriorCreate()
            .addSourcesItem(source(second.getId()))
            .by(new StratifiedQuestion().attributes(List.of("age")).question(admitted));
    ProblemDocument wrong = problem(analyst, () -> posteriors.computePosterior(unknown, null));
    check(wrong.getType() == ProblemDocument.TypeEnum._PROBLEMS_INVALID_REQUEST, wrong.getDetail());
    check(wrong.getErrors().get(0).getLocation().contains("by.attributes"), wrong.getErrors().toString());
    System.out.println("released " + first.getId());
  }

  private static ReleaseCreate counts(List<BigDecimal> prior, SimplexGeometric mechanism) {
    return new ReleaseCreate(
        new CountsCreate().kind(CountsCreate.KindEnum.COUNTS).prior(prior).mechanism(new Mechanism(mechanism)));
  }

  private static ApiClient client(String address, String key) {
    ApiClient made = new ApiClient();
    // The generated classes of unions refuse null, which a field can be.
    made.setObjectMapper(
        ApiClient.createDefaultObjectMapper().setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP)));
    made.updateBaseUri(address);
    made.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    return made;
  }

  private interface Call {
    Object send() throws ApiException;
  }

  /** Returns the problem that a request is answered with. */
  private static ProblemDocument problem(ApiClient client, Call call) throws Exception {
    try {
      call.send();
    } catch (ApiException refused) {
      return client.getObjectMapper().readValue(refused.getResponseBody(), ProblemDocument.class);
    }
    throw new AssertionError("it was not refused");
  }

  /** Everything that is in a text is in what was read of it. Amounts are texts there, and numbers here. */
  private static void compare(JsonNode text, JsonNode read, String place) {
    if (text.isObject()) {
      text.fields().forEachRemaining(each -> compare(each.getValue(), read.path(each.getKey()), place + "." + each.getKey()));
    } else if (text.isArray()) {
      check(text.size() == read.size(), place);
      for (int number = 0; number < text.size(); number++) {
        compare(text.get(number), read.get(number), place + "[" + number + "]");
      }
    } else if (read.isNumber()) {
      check(new BigDecimal(text.asText()).compareTo(read.decimalValue()) == 0, place);
    } else if (!text.isNull()) {
      check(text.equals(read), place + ": " + text + ", read as " + read);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
