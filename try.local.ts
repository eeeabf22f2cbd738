import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const [url, key, era, ...calls] = process.argv.slice(2);
const client = new Client({ name: 'try', version: '1.0' }, era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {});
await client.connect(new StreamableHTTPClientTransport(new URL(url + '/mcp'), { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
const { tools } = await client.listTools();
console.log(tools.length, JSON.stringify(tools).length, tools.map((t) => t.name).join(' '));
for (let i = 0; i < calls.length; i += 2) {
  const t0 = performance.now();
  const r = await client.callTool({ name: calls[i]!, arguments: JSON.parse(calls[i + 1]!) });
  console.log('##', calls[i], calls[i+1], JSON.stringify(r).length, Math.round(performance.now() - t0) + 'ms', r.isError ? 'ERROR' : '');
  console.log(JSON.stringify(r.structuredContent ?? r.content).slice(0, 2600));
}
await client.close();
