#!/usr/bin/env python3
"""Checks JSON files against a JSON Schema: validate_json.py SCHEMA FILE..., - for standard input.

Exits 0 when all files are valid, 1 when one is not, 2 when nothing could be checked.
"""
import json
import sys

import jsonschema


def load(path):
    if path == "-":
        return json.load(sys.stdin)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def complaints(validator, path):
    try:
        document = load(path)
    except (OSError, ValueError) as error:
        return [f"{path}: {error}"]
    return [
        f"{path}: {error.json_path}: {error.message[:300]}"
        for error in sorted(validator.iter_errors(document), key=lambda error: error.json_path)
    ]


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    schema = load(arguments[0])
    validator_class = jsonschema.validators.validator_for(schema)  # of the draft it names
    validator_class.check_schema(schema)
    # "format" is an annotation unless a checker is given.
    validator = validator_class(schema, format_checker=jsonschema.FormatChecker())
    found = [complaint for path in arguments[1:] for complaint in complaints(validator, path)]
    for complaint in found:
        print(complaint, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
