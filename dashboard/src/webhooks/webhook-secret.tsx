// The secret with which requests are signed, at the one time when it can be read.
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';

export function WebhookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The webhook’s secret" onClose={onClose}>
      <p>The receiver proves with it that what it gets is from here. It is shown now and never again.</p>
      <Copy value={secret} label="the secret" />
    </Dialog>
  );
}
