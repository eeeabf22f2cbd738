// `subledger user reset-password EMAIL`: sets a new password for a user who has lost it, and prints it once. It is never stored in clear.
import { readConfig } from '../adapters/configuration/config.js';
import { createPasswords } from '../adapters/passwords/worker.js';
import { systemRuntime } from '../adapters/runtime.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { emailKeyOf } from '../commands/accounts/auth-context.js';
import { resetPassword } from '../commands/accounts/reset-password.js';
import { normalizeEmail } from '../domain/user/email.js';
import { onService } from './support/on-service.js';
import { withReading } from './support/open-for-reading.js';
import { printResult } from './support/print-result.js';

const PASSWORD_BYTES = 15;

export async function resetPasswordOf(email: string, o: { readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const emailKey = await withReading(async (reading) => emailKeyOf(reading, normalizeEmail(email)));
  const password = runtime.randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwords = createPasswords();
  const hash = await passwords.hash(password);
  await passwords.close();
  const reset = { emailKey, hash, commandId: runtime.newId('reset') };
  const { userId } = await onService(config, runtime, { kind: 'reset-password', ...reset }, ({ log, docs }) =>
    resetPassword({ log, docs, runtime, mutex: createKeyedMutex() }, reset),
  );
  printResult(o, { userId, password }, [
    password,
    `is the new password of ${userId}. It is shown only once. All sessions of this user were ended.`,
  ]);
}
