import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { installationOf, installCommand, isOlder, OLDEST, parse, problemOf } from "../src/installation";

test("versions are compared as numbers", () => {
  assert.ok(isOlder("0.0.9", "0.1.0"));
  assert.ok(isOlder("0.9", "0.10"));
  assert.ok(!isOlder("0.1.0.dev1", "0.1"));
  assert.ok(!isOlder("1.0", "0.1.0"));
});

test("what the interpreter prints decides what is said", () => {
  assert.deepEqual(parse(`${OLDEST} True\n`), { kind: "ready", version: OLDEST });
  assert.deepEqual(parse("0.0.1 True\n"), { kind: "too old", version: "0.0.1" });
  assert.deepEqual(parse(`${OLDEST} False\n`), { kind: "no server", version: OLDEST });
  assert.deepEqual(parse(" False\n"), { kind: "missing" });
  assert.deepEqual(parse(""), { kind: "missing" });
});

test("an interpreter that does not run is named", async () => {
  const found = await installationOf("/no/such/python", undefined);
  assert.equal(found.kind, "no interpreter");
  assert.match(problemOf(found, "/no/such/python") ?? "", /\/no\/such\/python does not run/);
});

test("an interpreter without cvlint leads to the command that installs it", async () => {
  const fake = join(mkdtempSync(join(tmpdir(), "cvlint-")), "my python");
  writeFileSync(fake, "#!/bin/sh\necho ' False'\n");
  chmodSync(fake, 0o755);
  const found = await installationOf(fake, undefined);
  assert.equal(
    problemOf(found, fake),
    `cvlint is not installed in ${fake}. Install it with: "${fake}" -m pip install "cvlint[lsp] @ git+URL", ` +
      "where URL is the address of cvlint's repository.",
  );
});

test("an old cvlint is upgraded", () => {
  assert.match(problemOf({ kind: "too old", version: "0.0.1" }, "python3") ?? "", /pip install --upgrade/);
  assert.equal(installCommand("python3", "too old"), 'python3 -m pip install --upgrade "cvlint[lsp] @ git+URL"');
});

test("where cvlint is there, only the extra is installed", () => {
  assert.equal(installCommand("python3", "no server"), 'python3 -m pip install "cvlint[lsp]"');
});
