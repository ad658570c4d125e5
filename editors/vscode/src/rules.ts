/** "Explain rule": the pages of the rules of findings. */

import * as vscode from "vscode";

interface RulePage extends vscode.QuickPickItem {
  readonly page: vscode.Uri;
}

/** The rules of findings, each once, with the address of its page and the message of its first finding. */
export function pagesOf(findings: readonly vscode.Diagnostic[]): RulePage[] {
  const pages = new Map<string, RulePage>();
  for (const { source, code, message } of findings) {
    if (source === "cvlint" && typeof code === "object" && !pages.has(String(code.value))) {
      pages.set(String(code.value), { label: String(code.value), detail: message, page: code.target });
    }
  }
  return [...pages.values()];
}

/** Open the page of the rule at the cursor; if there is none, let the user choose one of the document. */
export async function explainRule(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const findings = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri);
  const here = findings.filter((finding) => editor?.selections.some((one) => finding.range.intersection(one)));
  const pages = pagesOf(pagesOf(here).length > 0 ? here : findings);
  if (pages.length === 0) {
    void vscode.window.showInformationMessage("cvlint has found nothing in this document.");
    return;
  }
  const chosen = pages.length === 1 ? pages[0] : await vscode.window.showQuickPick(pages, { title: "Explain rule" });
  if (chosen !== undefined) {
    await vscode.env.openExternal(chosen.page);
  }
}
