#!/usr/bin/env python3
"""Compares JSON objects on stdin with what docs/json.md says of a verb: json_schema.py VERB [HOW_MANY]

Names that the page does not know are refused, too. Prints "VERB: N as documented".
"""
import json
import pathlib
import re
import sys

import jsonschema

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/json.md"


def closed(schema):
    """The same, and nothing else is allowed in an object."""
    if "properties" in schema:
        properties = {name: closed(inner) for name, inner in schema["properties"].items()}
        return {**schema, "properties": properties, "additionalProperties": False}
    return {**schema, "items": closed(schema["items"])} if "items" in schema else schema


def schema_of(verb):
    block = re.search(rf"^## {verb}\n.*?^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    schema = closed(json.loads(block[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def objects(text):
    decoder, at = json.JSONDecoder(parse_constant=lambda name: sys.exit(f"{name} is no JSON")), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def main():
    verb, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    validator = jsonschema.Draft202012Validator(schema_of(verb))
    found = list(objects(sys.stdin.read()))
    for value in found:
        for error in validator.iter_errors(value):
            sys.exit(f"{verb}: {error.json_path}: {error.message}")
    if len(found) != wanted:
        sys.exit(f"{verb}: {len(found)} objects instead of {wanted}")
    print(f"{verb}: {len(found)} as documented")


if __name__ == "__main__":
    main()
