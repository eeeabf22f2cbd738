// Code for the first call with a new key: the same request with curl and the typed client, and the set-up of each SDK.
export type Snippet = { readonly id: string; readonly name: string; readonly code: string };

type FirstCall = {
  readonly key: string;
  /** Platform of the key's app; null for a secret key, which SDKs must not contain. */
  readonly platform: 'ios' | 'android' | 'test' | null;
  readonly api: string;
  /** Null: the compatibility API is off. */
  readonly sdk: string | null;
};

/** Shown where the address of the compatibility API is not known. */
const SDK_PLACEHOLDER = 'https://sdk.example.com';

export function snippetsOf(call: FirstCall): readonly Snippet[] {
  const { key, platform, api, sdk } = call;
  const proxy = sdk ?? SDK_PLACEHOLDER;
  const note = sdk === null ? '// The compatibility API is off: set COMPAT_PORT, and write its address here.\n' : '';
  const server = [
    {
      id: 'curl',
      name: 'curl',
      code: [
        `curl -X POST ${api}/v1/subscribers/ann`,
        `-H 'X-API-Key: ${key}'`,
        `-H 'Content-Type: application/json' -d '{}'`,
      ].join(' \\\n  '),
    },
    {
      id: 'typescript',
      name: 'TypeScript',
      code: `import { createClient } from '@subledger-server/client';

const subledger = createClient({ baseUrl: '${api}', apiKey: '${key}' });
const { data, error } = await subledger.POST('/v1/subscribers/{appUserId}', {
  params: { path: { appUserId: 'ann' } },
  body: {},
});`,
    },
  ];
  const ios = {
    id: 'swift',
    name: 'Swift',
    code: `${note}import RevenueCat

Purchases.proxyURL = URL(string: "${proxy}")!
Purchases.configure(
  with: .builder(withAPIKey: "${key}").with(entitlementVerificationMode: .disabled).build()
)`,
  };
  const android = {
    id: 'kotlin',
    name: 'Kotlin',
    code: `${note}Purchases.proxyURL = URL("${proxy}")
Purchases.configure(
  PurchasesConfiguration.Builder(this, "${key}")
    .entitlementVerificationMode(EntitlementVerificationMode.DISABLED)
    .build()
)`,
  };
  const both = [
    {
      id: 'flutter',
      name: 'Flutter',
      code: `${note}await Purchases.setProxyURL("${proxy}");
await Purchases.configure(PurchasesConfiguration("${key}"));`,
    },
    {
      id: 'react-native',
      name: 'React Native',
      code: `${note}Purchases.setProxyURL("${proxy}");
Purchases.configure({ apiKey: "${key}" });`,
    },
  ];
  const web = {
    id: 'web',
    name: 'Web',
    code: `${note}Purchases.configure({
  apiKey: "${key}",
  appUserId: "ann",
  httpConfig: { proxyURL: "${proxy}" },
  flags: { collectAnalyticsEvents: false },
});`,
  };
  if (platform === null) return server;
  if (platform === 'ios') return [...server, ios, ...both];
  return platform === 'android' ? [...server, android, ...both] : [...server, ios, android, ...both, web];
}
