// The first pages of the interface's document: from registration to what a customer may use, then the rules that hold everywhere.
// The commands are run by a test as they stand here.

/** Runs against `$url`; each line prints what it made. */
export const walk = `url=\${url:-http://127.0.0.1:3000}
json='content-type: application/json'
get() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }

# 1. A user. The access token is good for an hour.
token=$(curl -s $url/auth/register -H "$json" \\
  -d "{\\"email\\":\\"me+$RANDOM@example.com\\",\\"password\\":\\"correct horse battery\\"}" | get accessToken)
me="authorization: Bearer $token"

# 2. A project, and in it an app.
project=$(curl -s $url/v1/projects -H "$me" -H "$json" -d '{"name":"Stargazer"}' | get id)
base=$url/v1/projects/$project
app=$(curl -s $base/apps -H "$me" -H "$json" \\
  -d '{"name":"Stargazer iOS","platform":"ios","bundleId":"com.example.stargazer"}' | get id)

# 3. A product, and the entitlement that it unlocks.
product=$(curl -s $base/products -H "$me" -H "$json" -d "{\\"appId\\":\\"$app\\",\\"displayName\\":\\"Pro, monthly\\",
  \\"storeProductId\\":\\"com.example.stargazer.pro.month\\",\\"type\\":\\"subscription\\",\\"duration\\":\\"P1M\\"}" | get id)
curl -s $base/entitlements -H "$me" -H "$json" -d '{"lookupKey":"pro","displayName":"Pro"}' | get id
curl -s $base/entitlements/pro/products -H "$me" -H "$json" -d "{\\"productIds\\":[\\"$product\\"]}" | get 'products.length'

# 4. Where the store sends its notifications: enter this at the store.
curl -s $base/apps/$app -H "$me" | get notificationUrl

# 5. A key for your server. Its full value is shown once.
key=$(curl -s $base/api-keys -H "$me" -H "$json" -d '{"name":"server"}' | get key)

# 6. A customer, a week of access as a present, and what the customer may use now.
curl -s $url/v1/subscribers/alice -H "x-api-key: $key" -H "$json" -d '{"platform":"ios"}' | get subscriber.appUserId
curl -s $url/v1/subscribers/alice/entitlements -H "x-api-key: $key" -H "$json" \\
  -d '{"entitlementId":"pro","duration":"weekly"}' | get grant.expiresAt
curl -s $url/v1/subscribers/alice -H "x-api-key: $key" | get subscriber.entitlements.pro.isActive

# 7. Why: the customer's whole story.
curl -s "$base/customers/alice/timeline?order=oldest" -H "$me" | get 'items.map(e => e.summary).join("\\\\n")'
`;

export const guide = `A self-hosted back end for in-app subscriptions: it takes what the stores tell, and says who may use what.

# From nothing to a customer's entitlements

Paste this into a terminal beside the running service.

\`\`\`sh
${walk}\`\`\`

In an app, \`POST /v1/subscribers/{appUserId}/receipts\` takes the place of step 6: send what the store signed, with a public key.

# Rules that hold everywhere

**Credentials.** Users send \`Authorization: Bearer <accessToken>\`, servers and apps \`X-API-Key\`; both at once is refused with 400.
A secret key (\`sk_…\`) may do what a member of its project may, except make keys and manage projects. A public key (\`pk_…\`) is for
apps: it reads and introduces subscribers, submits receipts and reads offerings. A key made with \`"scopes": ["read"]\` may not write and sees no personal fields.
A key on another project is told 403, a user on a project of others 404.

**Refusals** have one form: \`{ "statusCode", "message", "error" }\`. The message says what to do. Fields that an endpoint does not
know are refused with 400, so that a misspelt one is not lost in silence.

**Lists** are newest first unless they say otherwise: \`?limit=\` 1 to 100 (20), and \`nextPage\` is the path of the next page, null on
the last one. Walking by \`nextPage\` neither repeats nor skips an item, also when items are added or deleted meanwhile.

**Repeats.** A POST with an \`Idempotency-Key\` is done once: the same request with the same key within 24 hours gets the answer of the
first one, another body with that key 409.

**Reading your own writes.** An answer leaves when what it wrote can be read. Where another process is asked next, send the
\`x-position\` of the write as \`X-Position\`.

**Limits.** Too many requests are refused with 429 and \`Retry-After\`; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds) tell how far one is.

**Values.** Instants are ISO 8601 in UTC with milliseconds. Amounts are decimal numbers with an ISO 4217 code, beside integer
micro-units where they matter. Ids are opaque. Clients must ignore fields and values they do not know: \`/v1\` only grows.
`;
