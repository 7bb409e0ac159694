import { useT } from '../../lang/language.tsx';
import { type Form, TextArea, TextField } from '../../ui/form.tsx';
import { Card, Choice } from '../../ui/parts.tsx';
import { LinkFields } from './link-fields.tsx';
import { LEGAL_PAGES, type LegalPageName, SELLER, type StorefrontValues } from './storefront-form.ts';

type FormProps = { readonly form: Form<StorefrontValues> };
const MOST_LINKS = 10;
const KINDS = ['none', 'text', 'url'] as const;

/** The foot of every page, and the page of a closed shop. */
export function FootFields({ form }: FormProps) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('storefront.foot')} className="fields">
      <LinkFields
        label={t('storefront.links')}
        name="links"
        most={MOST_LINKS}
        values={values.links}
        errors={errors}
        onChange={(links) => set('links', links)}
      />
      <TextArea
        label={t('storefront.closedText')}
        hint={t('storefront.closedHint')}
        rows={2}
        maxLength={500}
        value={values.closedText}
        error={errors['closedText']}
        onChange={(text) => set('closedText', text)}
      />
    </Card>
  );
}

/** Who sells, and the pages that laws require. */
export function LegalFields({ form }: FormProps) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('storefront.legal')} className="fields">
      {SELLER.map((name) => {
        const field = `legal.${name}` as const;
        const shared = {
          label: t(`storefront.seller.${name}`),
          value: values[field],
          error: errors[field],
          onChange: (text: string) => set(field, text),
        };
        return name === 'address' ? (
          <TextArea key={name} rows={3} maxLength={400} {...shared} />
        ) : (
          <TextField key={name} name={field} maxLength={400} {...shared} />
        );
      })}
      {LEGAL_PAGES.map((name) => (
        <LegalPageField key={name} name={name} form={form} />
      ))}
    </Card>
  );
}

/** A page of its own: written here, elsewhere, or none. */
function LegalPageField({ name, form }: FormProps & { readonly name: LegalPageName }) {
  const t = useT();
  const field = `legal.pages.${name}` as const;
  const page = form.values[field];
  const label = t(`storefront.page.${name}`);
  const problem = Object.entries(form.errors).find(([at]) => at.startsWith(field))?.[1];
  return (
    <div className="field">
      <span className="between wrapx">
        <span className="lab">{label}</span>
        <Choice
          label={label}
          value={page.kind}
          options={KINDS.map((kind) => [kind, t(`storefront.kind.${kind}`)])}
          onChange={(kind) => form.set(field, { ...page, kind })}
        />
      </span>
      {page.kind === 'text' && (
        <TextArea
          label={<span className="sr">{label}</span>}
          hint={t('storefront.markdown')}
          rows={6}
          maxLength={20_000}
          value={page.text}
          error={problem}
          onChange={(text) => form.set(field, { ...page, text })}
        />
      )}
      {page.kind === 'url' && (
        <TextField
          label={<span className="sr">{label}</span>}
          name={field}
          type="url"
          value={page.url}
          error={problem}
          onChange={(url) => form.set(field, { ...page, url })}
        />
      )}
    </div>
  );
}
