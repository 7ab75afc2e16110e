import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components'

/** Field is a labelled text input with its hint and its error. */
export function Field({ label, hint, error, ...props }: TextFieldProps & { label: string; hint?: string; error?: string | undefined }) {
  return (
    <TextField {...props} className="field" isInvalid={Boolean(error)}>
      <Label>{label}</Label>
      <Input />
      {hint && <Text slot="description" className="hint">{hint}</Text>}
      <FieldError className="field-error">{error}</FieldError>
    </TextField>
  )
}
