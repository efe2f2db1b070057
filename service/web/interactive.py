"""Serves the interactive documentation: Swagger UI from the files of `fastapi-offline`. The page has no inline code, so
its content policy can forbid injected code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import fastapi_offline
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Private Posterior</title>
<link rel="stylesheet" href="{root}/docs/assets/swagger-ui.css">
<link rel="icon" href="{root}/docs/assets/favicon.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="{root}/docs/assets/swagger-ui-bundle.js"></script>
<script src="{root}/docs/start.js"></script>
</body>
</html>
"""
_START: Final = """\
SwaggerUIBundle({
  url: new URL("../openapi.json", document.currentScript.src).href,
  dom_id: "#swagger-ui",
  deepLinking: true,
  showExtensions: true,
  showCommonExtensions: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
});
"""


def add_interactive(app: FastAPI) -> None:
    """Add `/docs` and its files to the application."""

    async def docs(request: Request) -> HTMLResponse:
        return HTMLResponse(_PAGE.format(root=request.scope.get("root_path", "")))  # `root_path` is a setting

    async def docs_start(_: Request) -> Response:
        return Response(_START, media_type="text/javascript")

    app.add_route("/docs", docs, include_in_schema=False)
    app.add_route("/docs/start.js", docs_start, include_in_schema=False)
    app.mount("/docs/assets", StaticFiles(directory=Path(fastapi_offline.__file__).parent / "static"))
