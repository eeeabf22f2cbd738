// First pages of the API documentation: from registration to the entitlements of a customer, then the general rules. A test runs the
// commands.

/** Shell commands against `$url`; each line prints what it created. */
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

# 4. The notification address: enter it in the store's console.
curl -s $base/apps/$app -H "$me" | get notificationUrl

# 5. A key for your server. Its full value is shown once.
key=$(curl -s $base/api-keys -H "$me" -H "$json" -d '{"name":"server"}' | get key)

# 6. A customer, a week of promotional access, and the customer's current entitlements.
curl -s $url/v1/subscribers/alice -H "x-api-key: $key" -H "$json" -d '{"platform":"ios"}' | get subscriber.appUserId
curl -s $url/v1/subscribers/alice/entitlements -H "x-api-key: $key" -H "$json" \\
  -d '{"entitlementId":"pro","duration":"weekly"}' | get grant.expiresAt
curl -s $url/v1/subscribers/alice -H "x-api-key: $key" | get subscriber.entitlements.pro.isActive

# 7. The reasons: the customer's timeline.
curl -s "$base/customers/alice/timeline?order=oldest" -H "$me" | get 'items.map(e => e.summary).join("\\\\n")'
`;

export const guide = `Self-hosted back end for in-app subscriptions. It receives store notifications and receipts, and tells your app which entitlements each customer has.

# Quick start

With the service running, paste this into another terminal.

\`\`\`sh
${walk}\`\`\`

In an app, \`POST /v1/subscribers/{appUserId}/receipts\` replaces step 6: send the signed receipt of the store, with a public key.

# General rules

**Credentials.** Users send \`Authorization: Bearer <accessToken>\`, servers and apps \`X-API-Key\`; sending both returns 400.
A secret key (\`sk_…\`) may do what a member of its project may, except create keys and manage projects. A public key (\`pk_…\`) is for
apps: it reads and creates subscribers, submits receipts and reads offerings. A key created with \`"scopes": ["read"]\` cannot write and does not see personal fields.
An API key used on another project gets 403. A user gets 404 for a project they are not a member of.

**Errors** have one form: \`{ "statusCode", "message", "error" }\`. The message states what to do. Unknown fields are rejected with 400,
so that a misspelled field is not ignored silently.

**Lists** are newest first unless documented otherwise: \`?limit=\` 1 to 100 (default 20), and \`nextPage\` is the path of the next page, null on
the last one. Following \`nextPage\` neither repeats nor skips an item, even when items are added or deleted in the meantime.

**Idempotency.** A POST with an \`Idempotency-Key\` is executed once: the same request with the same key within 24 hours gets the response of
the first one; another body with the same key gets 409.

**Reading your own writes.** A response is sent when its write can be read. If the next request goes to another process, send the
\`x-position\` of the write as \`X-Position\`.

**Rate limits.** Too many requests get 429 with \`Retry-After\`; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds) show the current state.

**Values.** Instants are ISO 8601 in UTC with milliseconds. Amounts are decimal numbers with an ISO 4217 code, in addition to integer
micro-units where precision matters. IDs are opaque. Clients must ignore unknown fields and values: \`/v1\` only adds.
`;
