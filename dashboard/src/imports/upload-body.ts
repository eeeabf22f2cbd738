// Body of an upload. Text is compressed in the browser, so that a large export is sent sooner.
const COMPRESSED = /\.(gz|parquet)$/i;

/** Returns options of a request that send the file as it is, or compressed with gzip. */
export async function uploadBody(file: File) {
  const body = COMPRESSED.test(file.name) ? file : await compress(file);
  const headers = { 'content-type': 'application/octet-stream' };
  return { headers, body: body as unknown as string, bodySerializer: () => body };
}

function compress(file: File): Promise<Blob> {
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
