// Service account for requests to the android-store about an app: its registration and its use.
import { z } from 'zod';
import type { ServiceAccount } from '../../../adapters/android-store/port.js';
import { text } from '../../../domain/values/user-text.js';
import type { Deps } from '../../handling/deps.js';
import type { AppRef } from '../../projects/app-secrets.js';
import { fingerprintOf, unreadableCredentials, parseUsableKey } from '../../projects/credential-keys.js';
import { openCredentials, type Terms } from '../../projects/credentials.js';

const FIELD = 'serviceAccountJson';

const body = z.strictObject({
  serviceAccountJson: z.union(
    [z.string().min(1).max(50_000), z.looseObject({})],
    'must be the content of the key file, as an object or as text',
  ),
  pushServiceAccountEmail: z.email().max(254).nullable().default(null),
  pushAudience: text(2000).nullable().default(null),
});

/** Only the fields of a service account's file that identify it and sign for it are stored; addresses in it are never followed. */
const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.email().max(254),
  private_key: z.string().max(20_000),
  private_key_id: z.string().max(200).optional(),
});

export const androidCredentials = {
  summary: 'Register Android store credentials',
  body,
  response: { clientEmail: z.string().nullable() },
  /** Checks a service account, given as a value or as JSON text, with an RSA key of 2048 to 4096 bits. */
  check: (registered: unknown) => {
    const { serviceAccountJson: accountOrText, ...push } = body.parse(registered);
    const { success, data } = keyFile.safeParse(
      typeof accountOrText === 'string' ? parseKeyFile(accountOrText) : accountOrText,
    );
    if (!success) {
      throw unreadableCredentials(
        'serviceAccountJson must be the key file of a service account: type, client_email and private_key',
      );
    }
    const key = parseUsableKey('RS256', data.private_key, 'private_key of serviceAccountJson');
    const terms = { clientEmail: data.client_email, ...push };
    return { secret: JSON.stringify(data), fingerprint: fingerprintOf(key), field: FIELD, terms };
  },
  show: ({ clientEmail = null }: Terms) => ({ clientEmail }),
};

function parseKeyFile(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Invalid JSON is not a service account; the check that follows refuses it.
    return undefined;
  }
}

const serviceAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().nullable().default(null),
});

/** Returns null if there is none. */
export async function openServiceAccount(deps: Deps, app: AppRef): Promise<ServiceAccount | null> {
  const opened = await openCredentials(deps, app, FIELD);
  if (!opened) return null;
  const { client_email, private_key, private_key_id } = serviceAccount.parse(JSON.parse(opened.secret));
  return { clientEmail: client_email, privateKey: private_key, privateKeyId: private_key_id };
}
