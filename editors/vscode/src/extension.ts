/** The extension: it starts `cvlint server` with the interpreter of the workspace, and again when that changes. */

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { installationOf, installCommand, problemOf, type Installation } from "./installation";
import { interpreterOf, onInterpreterChange } from "./interpreter";
import { explainRule } from "./rules";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel | undefined;
let restarting: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("cvlint", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("cvlint.explainRule", explainRule),
    vscode.commands.registerCommand("cvlint.restart", restart),
    vscode.commands.registerCommand("cvlint.showLog", () => {
      log?.show();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("cvlint.enable") || event.affectsConfiguration("cvlint.interpreter")) {
        void restart();
      }
    }),
  );
  const listener = await onInterpreterChange(() => void restart());
  if (listener !== undefined) {
    context.subscriptions.push(listener);
  }
  await restart();
}

export async function deactivate(): Promise<void> {
  await restarting;
  await stop();
}

/** Start the server anew; one start waits for the one before. */
function restart(): Promise<void> {
  restarting = restarting.then(stop).then(start).catch((error: unknown) => {
    log?.error(`The server did not start: ${String(error)}`);
  });
  return restarting;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}

async function start(): Promise<void> {
  if (!vscode.workspace.getConfiguration("cvlint").get<boolean>("enable", true)) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const interpreter = await interpreterOf(folder);
  const found = await installationOf(interpreter, folder?.fsPath);
  const problem = problemOf(found, interpreter);
  if (problem !== undefined) {
    log?.warn(problem);
    void offerHelp(problem, found, interpreter);
    return;
  }
  log?.info(`Starting the server of cvlint with ${interpreter}.`);
  const options = folder === undefined ? {} : { cwd: folder.fsPath };
  client = new LanguageClient(
    "cvlint",
    "cvlint",
    { command: interpreter, args: ["-m", "cvlint", "server"], options },
    {
      documentSelector: ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ language: "python", scheme })),
      ...(log === undefined ? {} : { outputChannel: log }),
    },
  );
  await client.start();
}

/** Show why no server starts, with what the user can do about it. */
async function offerHelp(problem: string, found: Installation, interpreter: string): Promise<void> {
  const choices = found.kind === "no interpreter" ? [] : ["Install in Terminal"];
  const chosen = await vscode.window.showWarningMessage(problem, ...choices, "Choose Interpreter", "Retry");
  switch (chosen) {
    case "Install in Terminal": {
      const terminal = vscode.window.createTerminal("cvlint");
      terminal.show();
      terminal.sendText(installCommand(interpreter, found.kind), false); // the user completes and starts it
      break;
    }
    case "Choose Interpreter":
      await chooseInterpreter();
      break;
    case "Retry":
      await restart();
  }
}

async function chooseInterpreter(): Promise<void> {
  const isPython = vscode.extensions.getExtension("ms-python.python") !== undefined;
  const isSet = vscode.workspace.getConfiguration("cvlint").get<string>("interpreter", "") !== "";
  if (isPython && !isSet) {
    await vscode.commands.executeCommand("python.setInterpreter");
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", "cvlint.interpreter");
  }
}
