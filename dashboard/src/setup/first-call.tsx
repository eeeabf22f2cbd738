// The first call with a new key, with the address of this service.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { Tabs } from '../parts/tabs';
import { toast } from '../parts/toast';
import { useSetupStatus } from './lists';
import { snippetsOf } from './snippets';

const EVERY_MS = 10_000;

export function FirstCall({
  keyText,
  platform,
}: {
  readonly keyText: string;
  /** Null for a secret key. */
  readonly platform: Schemas['App']['platform'] | null;
}) {
  const addresses = useSetupStatus(EVERY_MS).data?.evidence.addresses;
  const [selected, setSelected] = useState('curl');
  if (!addresses) return null;
  const snippets = snippetsOf({ key: keyText, platform, ...addresses });
  const snippet = snippets.find(({ id }) => id === selected) ?? snippets[0];
  const copy = async (code: string) => {
    await navigator.clipboard.writeText(code);
    toast('Copied.');
  };
  return (
    <section class="first-call" aria-labelledby="first-call-title">
      <h3 id="first-call-title">First call</h3>
      <Tabs label="Language" tabs={snippets} selected={selected} onSelect={setSelected}>
        {snippet && (
          <>
            <pre tabIndex={0} aria-label={`First call with ${snippet.name}`}>
              {snippet.code}
            </pre>
            <button type="button" onClick={() => void copy(snippet.code)}>
              Copy the code
            </button>
          </>
        )}
      </Tabs>
    </section>
  );
}
