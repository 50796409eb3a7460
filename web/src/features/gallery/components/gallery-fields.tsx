import { useEffect } from 'react';
import { ChangedElsewhere } from '@/ui/form/changed-elsewhere';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { ChoicesField } from '@/ui/form/choices-field';
import { FileField } from '@/ui/form/file-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { OtpField } from '@/ui/form/otp-field';
import { PasswordField } from '@/ui/form/password-field';
import { SelectField } from '@/ui/form/select-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { EmailField, MobileField, NameField, TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';

const values = {
  text: '',
  name: 'Asha',
  email: '',
  mobile: '',
  area: '',
  password: '',
  otp: '',
  tick: false,
  choice: 'a',
  select: '',
  native: 'a',
};
const options = [
  ['a', 'First'],
  ['b', 'Second'],
] as const;
const wrong = ['text', 'email', 'mobile', 'area', 'password', 'otp', 'tick', 'select', 'native'] as const;

/** Every field of a form, empty or with an error. */
export function GalleryFields({ failed = false }: { failed?: boolean }) {
  const form = useAppForm({ defaultValues: values, onSubmit: () => {} });
  const { setError } = form.methods;
  useEffect(() => {
    if (failed) for (const name of wrong) setError(name, { message: 'This value is not accepted.' });
  }, [failed, setError]);
  return (
    <Form form={form} label={failed ? 'Fields with errors' : 'Fields'}>
      <ChangedElsewhere changed={failed} load={() => {}} />
      <TextField name="text" label="Text" hint="A hint below the label." optional prefix="₹" />
      <NameField name="name" label="Name" />
      <EmailField name="email" label="E-mail" />
      <MobileField name="mobile" label="Mobile" />
      <TextAreaField name="area" label="Long text" rows={2} />
      <PasswordField name="password" autoComplete="new-password" rules />
      {/* Once: Chromium closes a page that asks for two SMS at the same time. */}
      {failed && <OtpField />}
      <CheckboxField name="tick" label="Checkbox" />
      <ChoicesField name="choice" label="Choices" options={options} />
      <SelectField name="select" label="Select" options={options.map(([id, name]) => ({ id, name }))} />
      <NativeSelectField name="native" label="Native select" options={options} />
      <NativeSelectField label="Disabled select" options={options} value="a" disabled onChange={() => {}} />
      <FileField label="File" onChange={() => {}} />
      <SubmitButton>Send</SubmitButton>
    </Form>
  );
}
