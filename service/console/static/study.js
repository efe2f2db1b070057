// What the columns of a table seem to be. Each is a suggestion, and the owner decides.

import { isMissing, numberOf, plain, wholeNumber } from "./tabular.js";

export const MOST_VALUES = 5000;
export const MOST_COMPARED = 10000;
const words = (text) => new Set(text.trim().split(/\s+/));
const COUNTS = words(`freq freqs frequency frequencies count counts ncount cases deaths patients persons people births residents inhabitants
  individuals respondents admissions anzahl häufigkeit haeufigkeit fallzahl fallzahlen fälle faelle todesfälle todesfaelle sterbefälle
  sterbefaelle verstorbene patienten personen einwohner geburten effectif effectifs fréquence décès naissances personnes habitants cas
  frecuencia muertes defunciones casos nacimientos personas habitantes frequenza conteggio decessi morti casi persone frequência contagem
  óbitos mortes pessoas aantal frequentie gevallen sterfgevallen personer antal antall dødsfall dødsfald dödsfall tilfeller lukumäärä liczba
  liczebność zgony osoby przypadki počet četnost úmrtí případy число количество частота случаи смерти умершие кількість πλήθος συχνότητα sayı
  frekans 人数 件数 度数 死亡数 死亡者数 数量 例数 频数 死亡人数 病例数 빈도 인원 사망자수`);
const BESIDE = words(`n no nr num number total sum of der die das von de di des du d med av af the all in case death patient person fall todesfall
  confirmed probable suspected reported new zahl nombre número numero nb observed raw`);
const WEAK = words("n no num number obs total size value values wert werte valeur valeurs valor valores valore valori population db szám");
const CODES = words(`code codes cod codice codigo código kode kod fips geoid nuts iso zip postcode plz`);
const PLACES = words(`state county country district region province city town municipality precinct bundesland landkreis kreis gemeinde kanton
  canton commune comune provincia`);
const MEASURES = words(`age ages year years month day week date time hour score weight height length income price cost amount salary rate
  percent share id nr lat lon latitude longitude rank grade level class stratum group block set margin error
  alter jahr monat tag datum preis kosten gewicht größe année an mois jour âge poids prix año mes día edad
  peso anno mese giorno età jaar maand leeftijd år ålder alder rok wiek`);
const RATIOS = words("rate rates per percent percentage ratio mean average median share rank index crude adjusted prozent quote anteil taux tasa tasso");
const PERSON = [
  words(`patient person subject participant respondent passenger insured insuree member customer client employee
    student pupil pseudonym proband teilnehmer versicherter versicherte pid pnr ssn mrn nhs cpr pesel personnummer
    patientid subjectid personid participantid respondentid passengerid memberid patno subjid usubjid
    individual worker donor user woman mother child infant`),
  words("case policy policyid caseid claimant household record fall police vertrag"),
  words("id ids identifier nr nummer number no key uid uuid guid"),
];
const NUMBERS = words("number no num nr nummer");
const JOINED = /(id|nr|no|num|number|nummer|code)$/;
const ROW = new Set([...PERSON[0], ...PERSON[2], ..."row rows rownames index x unnamed obs".split(" ")]);
const MARK = /^([<>≤≥]=?\s*\d+|\d+\s*[-–]\s*\d+|\*+|\.{2,3}|[-–—:/·•…]|[a-z]|\[[a-z]\]|\([a-z]\)|suppressed|confidential|unreliable|secret|hidden|n\.?d\.?|masked|withheld|not (applicable|available|shown))$/i;
const LEAST_DIFFERENT = 0.1;
const RECURRENCE = 4;
const NEARLY_ALL = 0.9;
const FEWEST_SPACED = 4;

// A value in a column of counts that stands for a count which is not shown.
export const isMark = (text) => MARK.test(text) || isMissing(text);

// The different values of a column, without missing ones, in the order in which they come. Once there are too many, a
// further value is not examined.
export function columnOf(most = MOST_VALUES) {
  return { values: new Map(), rows: 0, missing: 0, examined: 0, whole: 0, marks: 0, numbers: 0, sum: 0, isRowNumber: true, isFull: false, most };
}

export function addValue(column, given, separator = ",") {
  column.rows += 1;
  let known = column.values.get(given);
  if (known === undefined) {
    const text = plain(given);
    if (isMissing(text)) {
      column.missing += 1;
      column.isRowNumber = false;
      return;
    }
    known = column.values.get(text);
    if (known === undefined) {
      const whole = wholeNumber(text, separator);
      known = { rows: 0, whole, number: whole ?? numberOf(text, separator), isMark: whole === null && MARK.test(text) };
      if (column.values.size >= column.most) {
        column.isFull = true;
        column.sum += known.number ?? 0;
        return;
      }
      column.values.set(text, known);
    }
  }
  known.rows += 1;
  column.examined += 1;
  column.sum += known.number ?? 0;
  if (known.whole !== null) column.whole += 1;
  if (known.number !== null) column.numbers += 1;
  if (known.isMark) column.marks += 1;
  if (known.whole !== column.rows) column.isRowNumber = false;
}

const different = (column) => column.values.size;
// Whether most values are whole numbers, and the others are marks in place of one.
const hasWhole = (column) => column.whole > 0 && column.whole + column.marks === column.examined;
export const isWhole = (column) => hasWhole(column) && column.whole >= column.marks;
// Whether nearly all values are whole numbers, in a column with a name of counts. Others, such as corrections of -1, can't
// be counted, and the owner types what they mean.
export const isCounted = (name, column) => isWhole(column) || (likeness(name) > 1 && column.whole >= NEARLY_ALL * column.examined);
export const isNumeric = (column) => column.numbers > column.marks && column.numbers + column.marks >= NEARLY_ALL * column.examined;

// Whether the values are numbers in equal steps, as years and ages are, and counts hardly ever.
function isEvenlySpaced(column) {
  const numbers = [...new Set([...column.values.values()].map(({ number }) => number))].filter((number) => number !== null).sort((one, other) => one - other);
  const steps = new Set(numbers.slice(1).map((number, place) => Math.round((number - numbers[place]) * 1e9)));
  return !column.isFull && numbers.length >= NEARLY_ALL * different(column) && numbers.length >= FEWEST_SPACED && steps.size === 1;
}

const wordsOf = (name) => name.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").toLowerCase().match(/\p{L}+/gu) ?? [];
export const isUnnamed = (name, place) => name === `column ${place + 1}`;
const isCount = (word) => COUNTS.has(word) || (word.startsWith("n") && COUNTS.has(word.slice(1)));

// How surely a name is that of a column of counts: 3 if it says nothing else, 2 if it has such a word, 1 if it can mean
// something else, 0 otherwise.
export function likeness(name) {
  const found = wordsOf(name);
  if (found.some((word) => RATIOS.has(word))) return 0;
  if (found.some(isCount)) return found.every((word) => isCount(word) || BESIDE.has(word)) ? 3 : 2;
  return found.length && found.every((word) => WEAK.has(word)) ? 1 : 0;
}

const hasWord = (name, known) => wordsOf(name).some((word) => known.has(word) || known.has(word.replace(JOINED, "")));
const isCode = (name) => hasWord(name, CODES) || hasWord(name, PLACES);
// A number that other words follow is one of something: “Number of lives” names nobody, as “Case number” does.
const isNumberOf = (name) => wordsOf(name).length > 1 && NUMBERS.has(wordsOf(name)[0]);
const namesPerson = (name, known) => likeness(name) < 2 && hasWord(name, known) && !(known === PERSON[2] && (isNumberOf(name) || hasWord(name, PLACES)));
const namesPeople = (name) => PERSON.some((known) => namesPerson(name, known));

const differ = (rows, places) => rows.length > 0 && new Set(rows.map((row) => JSON.stringify(places.map((place) => plain(row[place]))))).size === rows.length;
const isAllDifferent = (column) => column.isFull || different(column) >= NEARLY_ALL * column.rows;
const isMeasured = (column) => isNumeric(column) && (!isWhole(column) || 2 * different(column) > column.rows) && !isEvenlySpaced(column);

// The column that may have the number of people of each row, or null; and whether its numbers leave no doubt: rows
// differ in their other values, and these are not those of people, each of whom has a name or a number of their own.
function findCounts(names, columns, rows, numbered) {
  const isMany = (place) => [...columns[place].values.values()].some(({ whole }) => whole > 1);
  const places = names.map((_, place) => place).filter((place) => !numbered.includes(place));
  const found = places.filter((place) => isCounted(names[place], columns[place]) && isMany(place) && likeness(names[place]) > 0);
  const best = Math.max(0, ...found.map((place) => likeness(names[place])));
  const likeliest = found.filter((place) => likeness(names[place]) === best);
  if (likeliest.length !== 1) return { counts: likeliest.length ? null : lastCounts(names, columns, rows, places), isCertain: false };
  const [counts] = likeliest;
  const others = places.filter((place) => place !== counts && !isMeasured(columns[place]));
  const texts = others.filter((place) => !isNumeric(columns[place]) && different(columns[place]) > 1);
  const unlike = texts.filter((place) => isAllDifferent(columns[place]));
  if (best === 1) {
    const recurs = different(columns[counts]) < columns[counts].examined && !places.some((place) => place !== counts && isAllDifferent(columns[place]));
    return { counts: recurs && differ(rows, others) ? counts : null, isCertain: false };
  }
  const isOnly = found.filter((place) => likeness(names[place]) > 1).length === 1;
  const isUnambiguous = [...columns[counts].values].some(([text, { whole }]) => whole !== null && !/[.,]\d{3}/.test(text));
  const isCertain = best === 3 && isOnly && isUnambiguous && others.length > 0 && differ(rows, others) && !others.some((place) => namesPeople(names[place]))
    && (!unlike.length || unlike.length === texts.length);
  return { counts, isCertain };
}

// The last column of a table of counts without names, or null.
function lastCounts(names, columns, rows, places) {
  const last = names.length - 1;
  if (!places.includes(last) || !isWhole(columns[last]) || !names.every(isUnnamed)) return null;
  const others = columns.slice(0, last);
  if (last > 1 && others.some((column) => 2 * different(column) > column.rows)) return null;
  return differ(rows, others.map((_, place) => place)) ? last : null;
}

function findUnfolded(names, columns, rows, numbered) {
  const isMeasure = (name) => wordsOf(name).some((word) => MEASURES.has(word) || CODES.has(word)) && !/\d/.test(name);
  const places = names.map((_, place) => place).filter((place) => !numbered.includes(place));
  let whole = places.filter((place) => hasWhole(columns[place]) && !isMeasure(names[place]));
  let others = places.filter((place) => !whole.includes(place) && columns[place].examined);
  if (!others.length) others = numbered.slice();
  if (!differ(rows, others)) {
    others = [...others, ...whole.filter((place) => RECURRENCE * different(columns[place]) <= rows.length || isEvenlySpaced(columns[place]))];
    whole = whole.filter((place) => !others.includes(place));
  }
  if (whole.filter((place) => isWhole(columns[place])).length < 2 || rows.length < 2 || !differ(rows, others)) return [];
  const isNone = others.some((place) => {
    const column = columns[place];
    return (isNumeric(column) && !isWhole(column) && !isEvenlySpaced(column))
      || namesPeople(names[place])
      || (isWhole(column) && 2 * different(column) > column.rows && !isEvenlySpaced(column) && !isCode(names[place]));
  });
  return isNone ? [] : whole;
}

function findPerson(names, columns) {
  for (const each of PERSON) {
    const place = columns.findIndex((column, at) => different(column) > 1 && !(isNumeric(column) && column.whole < NEARLY_ALL * column.examined)
      && (column.isFull || different(column) >= LEAST_DIFFERENT * column.rows) && namesPerson(names[at], each));
    if (place >= 0) return place;
  }
  return null;
}

// `counts` is the column that may have the number of people of each row, `isCertain` if no question is left; `unfolded`
// are columns that may each have the counts of one value; `asked` are columns of numbers, mostly different, whose values
// must not become public without a question; `person` names people; `numbered` have the number of the row. `rows` are the
// first rows, all of them if there are at most MOST_COMPARED.
export function study(names, columns, rows) {
  const size = columns[0]?.rows ?? 0;
  const kept = size > MOST_COMPARED ? [] : rows;
  const places = names.map((_, place) => place);
  const numbered = places.filter((place) => columns[place].isRowNumber && size > 1 && (isUnnamed(names[place], place) || wordsOf(names[place]).some((word) => ROW.has(word))));
  const unfolded = findUnfolded(names, columns, kept, numbered);
  const found = findCounts(names, columns, kept, numbered);
  const isCertain = found.isCertain && !unfolded.length;
  const counts = unfolded.includes(found.counts) ? null : found.counts;
  const asked = places.filter((place) => !(isCertain && place === counts) && !numbered.includes(place) && isNumeric(columns[place])
    && 2 * different(columns[place]) > size && !isEvenlySpaced(columns[place]));
  return { counts, isCertain, unfolded, asked, person: isCertain || unfolded.length ? null : findPerson(names, columns), numbered };
}
