/** Which Python starts the server: that of the setting, or the selected one of the Python extension, or `python3`. */

import * as vscode from "vscode";

interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<Partial<PythonApi>>("ms-python.python");
  const api = await extension?.activate();
  return api?.environments === undefined ? undefined : (api as PythonApi); // releases before 2023 have none
}

/** The path or the name of the interpreter. */
export async function interpreterOf(folder: vscode.Uri | undefined): Promise<string> {
  const set = vscode.workspace.getConfiguration("cvlint", folder).get<string>("interpreter", "").trim();
  if (set !== "") {
    return set.replace("${workspaceFolder}", folder?.fsPath ?? "");
  }
  const environments = (await pythonApi())?.environments;
  if (environments !== undefined) {
    const found = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    if (found?.executable.uri !== undefined) {
      return found.executable.uri.fsPath;
    }
  }
  return process.platform === "win32" ? "python" : "python3";
}

/** Call a function whenever the user selects another interpreter in the Python extension. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonApi())?.environments.onDidChangeActiveEnvironmentPath(changed);
}
