# What the Python drivers share: the addresses, read as JSON from standard input, and the named cases, one JSON object each on
# standard output: its name, and its error or why it was skipped.
import json
import sys

given = json.load(sys.stdin)
# Some loaders print, too: only outcomes go to standard output.
outcomes, sys.stdout = sys.stdout, sys.stderr
# What rerankers are asked: the second document is the best one.
QUERY = "measuring angles at sea"
DOCUMENTS = ["Bread is baked from flour.", "A sextant measures angles at sea.", "The sea is deep."]
SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}


def case(name, run, skip=None):
    outcome = {"name": name}
    if skip:
        outcome["skip"] = skip
    else:
        try:
            run()
        except Exception as error:
            outcome["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(outcome), file=outcomes, flush=True)


def check(holds, found):
    if not holds:
        raise AssertionError(f"unexpected result: {str(found)[:300]}")


def fails(name, run, saying=""):
    """`saying`: what the error says, which tells an answer of the service from a refusal by the client itself."""
    try:
        found = run()
    except Exception as error:
        check(type(error).__name__ == name and saying in str(error), f"{type(error).__name__}: {error}")
        return
    check(False, found)
