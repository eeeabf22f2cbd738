// Second factor of the account: set up with an authenticator app, recovery codes, removal.
import { useState } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { Confirm } from '../parts/confirm';
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { CodeField, rememberSecondFactor } from '../sign-in/code-field';
import '../styles/account.css';

type NewSecret = Schemas['PreparedSecondFactor'];

const QR_PIXELS = 4;

export function useSecondFactor() {
  return useQuery('second-factor', (signal) => unwrap(api.GET('/auth/second-factor', { signal })));
}

export function SecondFactor() {
  const read = useSecondFactor();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <section class="card" aria-labelledby="factor-title">
      <h2 id="factor-title">Second factor</h2>
      <QueryView of={read} what="the second factor">
        {(factor) => (factor.enabled ? <On factor={factor} onCodes={setCodes} /> : <SetUp onCodes={setCodes} />)}
      </QueryView>
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </section>
  );
}

type OnCodes = { readonly onCodes: (codes: readonly string[]) => void };

function SetUp({ onCodes }: OnCodes) {
  const [prepared, setPrepared] = useState<NewSecret | null>(null);
  const prepare = async (data: FormData) => {
    const body = { password: String(data.get('password')) };
    setPrepared(await unwrap(api.POST('/auth/second-factor', { body })));
  };
  const confirm = async (data: FormData) => {
    const body = { code: text(data, 'code') };
    const { codes } = await unwrap(api.POST('/auth/second-factor/confirm', { body }));
    rememberSecondFactor(true);
    onCodes(codes);
    invalidate();
  };
  if (!prepared) {
    return (
      <>
        <p>
          A login then needs your password and a code from an authenticator app, so that a stolen password is not
          enough.
        </p>
        <Form label="Set up a second factor" submit={prepare} isPlain>
          <Field label="Your password" name="password" type="password" autocomplete="current-password" required />
        </Form>
      </>
    );
  }
  return (
    <>
      <p>Scan this with an authenticator app, or enter the key. Then enter the code that the app shows.</p>
      <img class="qr" src={imageOf(prepared.otpauthUrl)} alt="QR code of the key below" />
      <p>
        Key: <Copy value={prepared.secret} label="the key" /> · <a href={prepared.otpauthUrl}>open in an app</a>
      </p>
      <Form label="Confirm" submit={confirm}>
        <CodeField label="Code" hint="Six digits." />
      </Form>
    </>
  );
}

function imageOf(url: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { pixelSize: QR_PIXELS }))}`;
}

function On({ factor, onCodes }: OnCodes & { readonly factor: Schemas['SecondFactor'] }) {
  const proofOf = (data: FormData) => ({ password: String(data.get('password')), code: text(data, 'code') });
  const replace = async (data: FormData) => {
    const { codes } = await unwrap(api.POST('/auth/second-factor/recovery-codes', { body: proofOf(data) }));
    onCodes(codes);
  };
  const remove = async (data: FormData) => {
    await unwrap(api.DELETE('/auth/second-factor', { body: proofOf(data) }));
    rememberSecondFactor(false);
  };
  return (
    <>
      <p>
        In effect{' '}
        {factor.enabledAt !== null && (
          <>
            since <Time at={factor.enabledAt} />
          </>
        )}
        . {factor.recoveryCodesLeft} recovery codes left.
      </p>
      <div class="row">
        <FormDialog label="Replace recovery codes" add={replace}>
          <p>The former recovery codes are void.</p>
          <Proof />
        </FormDialog>
        <Confirm
          label="Remove the second factor"
          action="Remove"
          run={remove}
          done="The second factor was removed."
          breaks="From then on your password alone is enough to log in."
        >
          <Proof />
        </Confirm>
      </div>
    </>
  );
}

function Proof() {
  return (
    <>
      <Field label="Your password" name="password" type="password" autocomplete="current-password" required />
      <CodeField />
    </>
  );
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <Dialog title="Keep these recovery codes" onClose={onClose}>
      <p>
        Each works once instead of a code, if you lose your authenticator. They are shown only now. Without them an
        operator of this server must reset your password.
      </p>
      <pre class="codes">{codes.join('\n')}</pre>
      <button
        type="button"
        onClick={() => void navigator.clipboard.writeText(codes.join('\n')).then(() => toast('Copied.'))}
      >
        Copy all
      </button>{' '}
      <button type="button" class="primary" onClick={onClose}>
        I have kept them
      </button>
    </Dialog>
  );
}
