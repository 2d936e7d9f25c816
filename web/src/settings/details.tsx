// What the company prints on its documents: names, address, numbers, bank account and logo. Owners change them, managers read them.

import { Button, FileButton, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fact } from '../documents/fields.tsx'
import { text } from '../format.ts'
import { CountrySelect, countryName } from '../kit/country-select.tsx'
import { namedAddress } from '../kit/file-address.ts'
import type { Form } from '../kit/form.ts'
import { LoadError } from '../kit/load-error.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { pictureTypes, prepareLogo } from '../kit/prepare-file.ts'
import { useRecordForm } from '../kit/record-form.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { languages } from '../language.ts'
import { messages } from '../messages.ts'
import type { CompanyGetDetailsDetails } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import classes from './settings.module.css'

const texts = messages.settings.details

type Details = CompanyGetDetailsDetails

export function Component() {
  usePage({ title: messages.settings.places.details, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const isOwner = useMay('owner')
  const loaded = useMethod('company/get_details', {})
  if (loaded.data === undefined)
    return loaded.error ? (
      <LoadError error={loaded.error} again={() => void loaded.refetch()} />
    ) : (
      <Skeletons rows={8} />
    )
  const { details, logo } = loaded.data
  return (
    <Stack gap="lg" maw={860}>
      {isOwner ? <DetailsForm saved={details} /> : <DetailsFacts details={details} />}
      <LogoPart logo={logo} isOwner={isOwner} />
    </Stack>
  )
}

function DetailsForm({ saved }: { readonly saved: Details }) {
  const { form, notices, saveBar } = useRecordForm<Details>({
    saved,
    labels: texts,
    save: async (values) => {
      const changed = Object.entries(values).filter(([name, value]) => saved[name as keyof Details] !== value)
      await mutate('company/edit_details', Object.fromEntries(changed))
      notify(texts.saved)
    },
  })
  return (
    <>
      <Head>{saveBar}</Head>
      {notices}
      <AboutPart form={form} />
      <section>
        <Title order={2} mb="xs">
          {texts.bank}
        </Title>
        <div className={classes['fields']}>
          {(['bank_name', 'bank_account', 'bank_code'] as const).map((field) => (
            <TextInput key={field} label={texts[field]} maxLength={255} {...form.getInputProps(field)} />
          ))}
        </div>
      </section>
      <PrintingPart form={form} />
    </>
  )
}

const paperSizes = Object.entries(texts.paperSizes)

/** The empty choice: as in the country of the company. */
function PrintingPart({ form }: { readonly form: Form<Details> }) {
  const choices = { paper_size: paperSizes, document_language: Object.entries(languages) }
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.printing}
      </Title>
      <div className={classes['fields']}>
        {(['paper_size', 'document_language'] as const).map((field) => (
          <Select
            key={field}
            label={texts[field]}
            data={[
              { value: '', label: texts.ofCountry },
              ...choices[field].map(([value, label]) => ({ value, label })),
            ]}
            allowDeselect={false}
            {...form.getInputProps(field)}
          />
        ))}
      </div>
    </section>
  )
}

const Head = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <div className={classes['head']}>
      <Title order={1}>{messages.settings.places.details}</Title>
      {children}
    </div>
    <Text c="dimmed">{texts.about}</Text>
  </>
)

function AboutPart({ form }: { readonly form: Form<Details> }) {
  return (
    <div className={classes['fields']}>
      <TextInput
        label={texts.legal_name}
        description={texts.legal_nameHint}
        maxLength={255}
        {...form.getInputProps('legal_name')}
      />
      <TextInput
        label={texts.registration}
        description={texts.registrationHint}
        maxLength={255}
        {...form.getInputProps('registration')}
      />
      <TextArea label={texts.address} minRows={3} maxRows={6} maxLength={1000} {...form.getInputProps('address')} />
      <Stack gap={12}>
        <CountrySelect
          label={texts.country}
          value={form.values.country}
          error={form.errors['country']}
          onChange={(code) => form.setFieldValue('country', code)}
        />
        <TextInput label={texts.vat_number} maxLength={255} {...form.getInputProps('vat_number')} />
      </Stack>
      <TextInput label={texts.email} type="email" maxLength={255} {...form.getInputProps('email')} />
      <TextInput label={texts.phone} type="tel" maxLength={255} {...form.getInputProps('phone')} />
    </div>
  )
}

/** For users who may not change them. */
function DetailsFacts({ details }: { readonly details: Details }) {
  const fields = ['legal_name', 'registration', 'address', 'country', 'vat_number', 'email', 'phone'] as const
  const bank = ['bank_name', 'bank_account', 'bank_code'] as const
  return (
    <>
      <Head />
      <Text c="dimmed">{messages.settings.readOnly}</Text>
      <div className={classes['fields']}>
        {[...fields, ...bank].map((field) => (
          <Fact key={field} label={texts[field]}>
            {text(field === 'country' ? countryName(details.country) : details[field])}
          </Fact>
        ))}
        <Fact label={texts.paper_size}>
          {details.paper_size ? texts.paperSizes[details.paper_size] : texts.ofCountry}
        </Fact>
        <Fact label={texts.document_language}>
          {details.document_language ? languages[details.document_language] : texts.ofCountry}
        </Fact>
      </div>
    </>
  )
}

function LogoPart({ logo, isOwner }: { readonly logo: string | null; readonly isOwner: boolean }) {
  const choose = (file: File | null): void => {
    if (file !== null)
      void prepareLogo(file)
        .then((picture) => mutate('company/set_logo', picture))
        .then(() => notify(texts.logoSaved), notifyError)
  }
  const remove = (): void => void mutate('company/delete_logo', {}).then(() => notify(texts.logoRemoved), notifyError)
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.logo}
      </Title>
      {logo === null ? (
        <Text c="dimmed" size="sm">
          {isOwner ? texts.logoHint : text('')}
        </Text>
      ) : (
        <img className={classes['logo']} src={namedAddress(logo)} alt={texts.logoAlt} />
      )}
      {isOwner && (
        <Group gap="xs" mt="sm">
          <FileButton accept={pictureTypes} onChange={choose}>
            {(props) => (
              <Button {...props} variant="default">
                {logo === null ? texts.addLogo : texts.replaceLogo}
              </Button>
            )}
          </FileButton>
          {logo !== null && (
            <Button variant="subtle" color="red" c="var(--mantine-color-error)" onClick={remove}>
              {texts.removeLogo}
            </Button>
          )}
        </Group>
      )}
    </section>
  )
}
