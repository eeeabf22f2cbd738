// Signs with a key that everybody knows: it is a store of tests.
import { createHmac } from 'node:crypto';
import type { ThirdStorePort } from './port.js';

export function openThirdStore(): ThirdStorePort & { close(): Promise<void> } {
  const signed = (content: string) => createHmac('sha256', 'third-store').update(content).digest('hex');
  return { isSigned: (content, signature) => signed(content) === signature, close: async () => undefined };
}
