// `subledger user reset-password EMAIL`: sets a new password for a user who has lost it, and prints it once. It is never stored in clear.
import { readConfig } from '../adapters/configuration/config.js';
import { createPasswords } from '../adapters/passwords/worker.js';
import { systemRuntime } from '../adapters/runtime.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { emailKeyOf } from '../commands/accounts/auth-context.js';
import { resetPassword } from '../commands/accounts/reset-password.js';
import { Rejection } from '../domain/errors.js';
import { normalizeEmail } from '../domain/user/email.js';
import { fail, Failure } from './support/failure.js';
import { onService } from './support/on-service.js';
import { openForReading } from './support/open-for-reading.js';

const PASSWORD_BYTES = 15;

export async function resetPasswordOf(email: string, o: { readonly json?: true }): Promise<void> {
  try {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const reading = await openForReading(process.env);
    const emailKey = emailKeyOf(reading, normalizeEmail(email));
    await reading.close();
    const password = runtime.randomBytes(PASSWORD_BYTES).toString('base64url');
    const passwords = createPasswords();
    const hash = await passwords.hash(password);
    await passwords.close();
    const reset = { emailKey, hash, commandId: runtime.newId('reset') };
    const { userId } = await onService(config, runtime, { kind: 'reset-password', ...reset }, ({ log, docs }) =>
      resetPassword({ log, docs, runtime, mutex: createKeyedMutex() }, reset),
    );
    const text = o.json
      ? JSON.stringify({ userId, password }, null, 2)
      : `${password}\nis the new password of ${userId}. It is shown only once. All sessions of this user were ended.`;
    process.stdout.write(`${text}\n`);
  } catch (err) {
    fail(err instanceof Rejection ? new Failure(err.message) : err);
  }
}
