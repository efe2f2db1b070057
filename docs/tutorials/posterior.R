# Private Posterior from R: source("posterior.R"). It needs the packages httr2 and jsonlite.
# PRIVATE_POSTERIOR_SERVER and PRIVATE_POSTERIOR_KEY name the service and the key.
library(httr2)

# The answer to one request, as a list. It waits for computations that take longer than a moment.
# A request that is charged has a key of its own: sent again under the same key, it is free.
posterior_ask <- function(path, body = NULL, key = NULL, patience_seconds = 600) {
  ask_once <- function(path, body = NULL) {
    request <- request(paste0(Sys.getenv("PRIVATE_POSTERIOR_SERVER"), path)) |>
      req_auth_bearer_token(Sys.getenv("PRIVATE_POSTERIOR_KEY")) |>
      req_error(is_error = function(response) FALSE)
    if (!is.null(body)) request <- req_body_json(request, body, auto_unbox = TRUE, digits = NA)
    if (!is.null(key) && !is.null(body)) request <- req_headers(request, `Idempotency-Key` = key)
    req_perform(request)
  }
  response <- ask_once(path, body)
  if (resp_status(response) == 202) {
    until <- Sys.time() + patience_seconds
    job <- paste0(resp_header(response, "Location"), "/result")
    repeat {
      response <- ask_once(job)
      if (resp_status(response) != 409 || resp_body_json(response)$type != "/problems/job-pending") break
      if (Sys.time() > until) stop("the computation takes longer than patience_seconds")
      Sys.sleep(1)
    }
  }
  answer <- resp_body_json(response)
  if (resp_status(response) >= 400) stop(answer$type, ": ", answer$detail)
  answer
}

# A release under a prior. Amounts are text, as in epsilon = "0.5".
posterior_release <- function(dataset, prior, mechanism, key) {
  posterior_ask(paste0("/v1/datasets/", dataset, "/releases"), list(prior = as.list(prior), mechanism = mechanism), key)
}

# The noise-aware posterior of the shares, given a release.
posterior_shares <- function(release, level = 0.95, ...) {
  sources <- list(list(kind = "release", release_id = release))
  posterior_ask("/v1/posteriors", list(sources = sources, level = level, ...))
}

# Mean and interval of each category, as a data frame.
posterior_table <- function(posterior) {
  do.call(rbind, lapply(posterior$categories, function(each) data.frame(
    category = each$label, mean = each$mean, low = each$interval$low, high = each$interval$high
  )))
}

# Joint draws of the shares, a row a draw, if they were asked for.
posterior_draws <- function(posterior) {
  matrix(unlist(posterior$draws), ncol = length(posterior$categories), byrow = TRUE)
}
