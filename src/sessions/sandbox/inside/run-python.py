# Runs inside the sandbox: a caller's Python, with `page`, `context` and `browser` of the session as globals (Playwright's
# async API). `await` is allowed everywhere.
import ast
import asyncio
import inspect
import os
import sys
import traceback

try:
    from playwright.async_api import async_playwright
except ImportError:
    os.write(3, b"no playwright")
    sys.exit(1)


async def run():
    with open("/trawl/code", encoding="utf8") as file:
        source = file.read()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp("http://127.0.0.1:9222")
        context = browser.contexts[0]
        page = context.pages[0] if context.pages else await context.new_page()
        try:
            code = compile(source, "<code>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            names = {"__name__": "__main__", "browser": browser, "context": context, "page": page}
            running = eval(code, names)
            if inspect.iscoroutine(running):
                await running
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1
    return 0


status = asyncio.run(run())
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
