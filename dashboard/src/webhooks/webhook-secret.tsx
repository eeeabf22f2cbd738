// Signing secret of a webhook, in the only response that contains it.
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';

export function WebhookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The webhook’s secret" onClose={onClose}>
      <p>Use this secret to verify webhook signatures. It is shown only once.</p>
      <Copy value={secret} label="the secret" />
    </Dialog>
  );
}
