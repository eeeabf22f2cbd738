// A form in a dialog, behind a button: what makes one thing more, changes it, or asks before it is deleted.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate } from '../api/query';
import { Dialog } from './dialog';
import { Form } from './form';
import { toast } from './toast';

export function Adding({
  label,
  title = label,
  action = label,
  add,
  done,
  isDanger = false,
  children,
}: {
  readonly label: string;
  /** Of the dialog, where the button's label does not name what it is about. */
  readonly title?: string;
  /** What the dialog's own button says. */
  readonly action?: string;
  readonly add: (data: FormData) => unknown;
  /** Absent: what is done says it by itself. */
  readonly done?: string;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const submit = async (data: FormData) => {
    await add(data);
    invalidate();
    if (done !== undefined) toast(done);
    setOpen(false);
  };
  return (
    <>
      <button type="button" class={isDanger ? 'controls danger' : 'controls'} onClick={() => setOpen(true)}>
        {label}…
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Form label={action} submit={submit} isDanger={isDanger}>
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}

export function text(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}
