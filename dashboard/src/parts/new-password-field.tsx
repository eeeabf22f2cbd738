// Field of a new password, with the rule that the server checks.
import { Field } from './form';

export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autocomplete="new-password"
      required
      minLength={10}
      hint="At least 10 characters; a sentence is easy to remember."
    />
  );
}
