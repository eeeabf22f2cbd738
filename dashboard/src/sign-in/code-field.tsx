// Field for the code of a second factor. A browser in which one was used remembers that the field is needed.
import { Field } from '../parts/form';

const KEY = 'secondFactor';

export function needsSecondFactor(): boolean {
  return window.localStorage.getItem(KEY) !== null;
}

export function rememberSecondFactor(isOn: boolean): void {
  if (isOn) window.localStorage.setItem(KEY, 'on');
  else window.localStorage.removeItem(KEY);
}

export function CodeField({
  label = 'Code of your second factor',
  hint = 'Six digits from your authenticator app, or a recovery code. After several wrong codes only a recovery code works for a while.',
}: {
  readonly label?: string;
  readonly hint?: string;
}) {
  return <Field label={label} name="code" autocomplete="one-time-code" required maxLength={64} hint={hint} />;
}
