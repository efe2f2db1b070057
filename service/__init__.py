"""The REST service: HTTP, principals, budgets, data sets, releases and the database behind them."""
