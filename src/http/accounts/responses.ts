// Responses about users, projects and API keys.
import { z } from 'zod';
import { sandboxAccess, transferBehavior } from '../../domain/project/events.js';
import { keyScopes, roles } from '../../domain/project/roles.js';
import { setupEvidence } from '../projects/setup-evidence.js';
import { time } from '../bodies/response-schemas.js';

export const role = z.enum(roles);

const userFields = {
  object: z.literal('user'),
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  createdAt: time,
};
export const user = z.strictObject(userFields).meta({ id: 'User' });

const tokenFields = {
  accessToken: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
  refreshToken: z
    .string()
    .optional()
    .meta({ description: 'Can be used once at `POST /auth/refresh`. Omitted if it is in a cookie.' }),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Seconds until the access token expires.' }),
};
export const tokens = z.strictObject(tokenFields).meta({ id: 'Tokens' });
export const loginResponse = z.strictObject({ user, ...tokenFields }).meta({ id: 'LoggedIn' });

export const endedSession = z
  .strictObject({ object: z.literal('session'), id: z.string().nullable(), deleted: z.literal(true) })
  .meta({ id: 'EndedSession' });

export const openedSession = z
  .strictObject({
    object: z.literal('session'),
    id: z.string(),
    isCurrent: z.boolean().meta({ description: 'The session of this request.' }),
    openedAt: time,
    lastUsedAt: time.meta({ description: 'Time of the last login or refresh.' }),
    expiresAt: time,
  })
  .meta({ id: 'Session' });

export const endedSessions = z
  .strictObject({ object: z.literal('endedSessions'), count: z.int() })
  .meta({ id: 'EndedSessions' });

export const accountEvent = z
  .strictObject({
    object: z.literal('accountEvent'),
    id: z.string(),
    at: time,
    action: z.string().meta({ description: 'The type of the event, such as `UserPasswordChanged`.' }),
    byOperator: z.boolean().meta({ description: 'An operator did it with the command line.' }),
  })
  .meta({ id: 'AccountEvent' });

export const secondFactor = z
  .strictObject({
    object: z.literal('secondFactor'),
    enabled: z.boolean(),
    enabledAt: time.nullable(),
    recoveryCodesLeft: z.int(),
  })
  .meta({ id: 'SecondFactor' });

export const preparedSecondFactor = z
  .strictObject({
    object: z.literal('preparedSecondFactor'),
    secret: z.string().meta({ description: 'For typing it into an authenticator app. Shown only in this response.' }),
    otpauthUrl: z.string().meta({ description: 'The same as an address, for a link or a QR code.' }),
  })
  .meta({ id: 'PreparedSecondFactor' });

export const recoveryCodes = z
  .strictObject({
    object: z.literal('recoveryCodes'),
    codes: z.array(z.string()).meta({ description: 'Each works once instead of a code. Shown only in this response.' }),
  })
  .meta({ id: 'RecoveryCodes' });

export const me = z
  .strictObject({
    ...userFields,
    projects: z.array(z.strictObject({ id: z.string(), name: z.string(), role })),
  })
  .meta({ id: 'Me' });

export const project = z
  .strictObject({
    object: z.literal('project'),
    id: z.string(),
    name: z.string(),
    transferBehavior,
    sandboxAccess,
    displayCurrency: z.string(),
    timezone: z.string(),
    role,
    demo: z.enum(['playing', 'ready']).nullable().meta({
      description: 'For demo projects: whether the history of the simulated customers is still being generated.',
    }),
    demoProgress: z.number().min(0).max(1).optional().meta({
      description: 'Generated share of the history; only while `demo` is `playing`.',
    }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Project' });

export const setupStatus = z
  .strictObject({
    object: z.literal('setupStatus'),
    complete: z.boolean(),
    completedSteps: z.int(),
    totalSteps: z.int(),
    steps: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        done: z.boolean(),
        doneAt: time.nullable(),
        required: z.boolean(),
      }),
    ),
    evidence: setupEvidence,
  })
  .meta({ id: 'SetupStatus' });

const apiKeyFields = {
  object: z.literal('apiKey'),
  id: z.string(),
  name: z.string(),
  kind: z.enum(['secret', 'public']),
  appId: z.string().nullable(),
  keyPreview: z.string(),
  scopes: z.array(z.enum(keyScopes)).meta({
    description:
      '`write`: writes of SDKs and servers; `support`: grants, transfers, retries; `config`: configuration; `pii`: access to personal fields. Each implies `read`. A public key has none.',
  }),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable().meta({ description: 'Accurate to the minute.' }),
};
export const apiKey = z.strictObject(apiKeyFields).meta({ id: 'ApiKey' });
export const ownApiKey = z
  .strictObject({
    object: z.literal('ownApiKey'),
    id: z.string(),
    projectId: z.string(),
    kind: apiKeyFields.kind,
    appId: apiKeyFields.appId,
    scopes: apiKeyFields.scopes,
  })
  .meta({ id: 'OwnApiKey' });
export const newApiKey = z
  .strictObject({
    ...apiKeyFields,
    key: z.string().meta({ description: 'The full key. Shown only in this response.' }),
  })
  .meta({ id: 'NewApiKey' });
