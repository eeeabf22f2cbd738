// Answers that both stores' report servers give: files, and the ways in which a download goes wrong.
import type { ServerResponse } from 'node:http';

/** `cut`: the file ends in the middle. `endless`: it does not end. `hanging`: nothing is answered, and the connection stays open. */
export type ReportFault = 'cut' | 'endless' | 'hanging' | { readonly status: number; readonly body?: unknown };

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends a file, or fails as the fault says. */
export function sendFile(response: ServerResponse, file: Buffer, type: string, fault: ReportFault | null): void {
  if (fault === 'hanging') return;
  if (fault !== null && typeof fault === 'object') return sendJson(response, fault.status, fault.body ?? {});
  response.writeHead(200, { 'content-type': type });
  if (fault === 'endless') return writeOn(response);
  response.end(fault === 'cut' ? file.subarray(0, Math.floor(file.length / 2)) : file);
}

const BLOCK = Buffer.alloc(1024 * 1024, 'x');

function writeOn(response: ServerResponse): void {
  let isOpen = true;
  response.on('close', () => void (isOpen = false));
  const next = () => {
    while (isOpen && response.write(BLOCK));
    if (isOpen) response.once('drain', next);
  };
  next();
}
