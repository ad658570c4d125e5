/** What is installed in an interpreter, and what to say where cvlint is missing or too old. */

import { execFile } from "node:child_process";

/** The oldest cvlint whose server this extension can start. */
export const OLDEST = "0.1.0";

const PROGRAM = `
import importlib.util
try:
    from cvlint import __version__ as version
except ImportError:
    version = ""
print(version, importlib.util.find_spec("pygls") is not None)
`;

export type Installation =
  | { kind: "ready"; version: string }
  | { kind: "no interpreter"; reason: string }
  | { kind: "missing" }
  | { kind: "too old"; version: string }
  | { kind: "no server"; version: string };

/** Ask an interpreter what is installed in it. */
export function installationOf(interpreter: string, folder: string | undefined): Promise<Installation> {
  return new Promise((resolve) => {
    execFile(interpreter, ["-c", PROGRAM], { cwd: folder, timeout: 30_000 }, (error, output) => {
      resolve(error === null ? parse(output) : { kind: "no interpreter", reason: error.message.trim() });
    });
  });
}

/** Read what the program prints: the version, which may be empty, and whether the server's library is there. */
export function parse(output: string): Installation {
  const words = output.trim().split(/\s+/);
  const version = words.length > 1 ? (words[0] ?? "") : "";
  if (version === "") {
    return { kind: "missing" };
  }
  if (isOlder(version, OLDEST)) {
    return { kind: "too old", version };
  }
  return words.at(-1) === "True" ? { kind: "ready", version } : { kind: "no server", version };
}

/** Whether a version is older than another; only the numbers of the release count. */
export function isOlder(version: string, other: string): boolean {
  const numbers = (text: string) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number);
  const [own, others] = [numbers(version), numbers(other)];
  for (let i = 0; i < Math.max(own.length, others.length); i += 1) {
    const difference = (own[i] ?? 0) - (others[i] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

/**
 * The command that installs cvlint in an interpreter, or only the libraries of its server if cvlint is there.
 *
 * On the package index the name `cvlint` belongs to somebody else, so the user writes the address of the repository for URL.
 */
export function installCommand(interpreter: string, found: Installation["kind"]): string {
  const quoted = /^[\w./\\:-]+$/.test(interpreter) ? interpreter : `"${interpreter}"`;
  if (found === "no server") {
    return `${quoted} -m pip install "cvlint[lsp]"`;
  }
  return `${quoted} -m pip install ${found === "too old" ? "--upgrade " : ""}"cvlint[lsp] @ git+URL"`;
}

/** Say in whole sentences why no server starts; undefined if one can. */
export function problemOf(found: Installation, interpreter: string): string | undefined {
  const install = `Install it with: ${installCommand(interpreter, found.kind)}`;
  const fromRepository = `${install}, where URL is the address of cvlint's repository.`;
  switch (found.kind) {
    case "ready":
      return undefined;
    case "no interpreter":
      return `cvlint cannot start, because the Python interpreter ${interpreter} does not run (${found.reason}). Choose another one.`;
    case "missing":
      return `cvlint is not installed in ${interpreter}. ${fromRepository}`;
    case "too old":
      return `cvlint ${found.version} in ${interpreter} is too old: this extension needs ${OLDEST} or newer. ${fromRepository}`;
    case "no server":
      return `cvlint in ${interpreter} lacks the packages of its language server. ${install}`;
  }
}
