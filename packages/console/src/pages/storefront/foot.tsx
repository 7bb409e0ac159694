import { useT } from '../../lang/language.tsx';
import { type Form, TextArea } from '../../ui/form.tsx';
import { Card } from '../../ui/parts.tsx';
import { LinkFields } from './link-fields.tsx';
import { type StorefrontValues } from './storefront-form.ts';

const MOST_LINKS = 10;

/** The foot of every page, and the page of a closed shop. */
export function FootFields({ form }: { readonly form: Form<StorefrontValues> }) {
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
