import { SaveBar } from '../../app/save-bar.tsx';
import { useMay } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, TextArea, TextField, useForm } from '../../ui/form.tsx';
import { Card } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SettingsFrame } from './frame.tsx';
import { type ShopRecord, useSaveShop, useShopRecord } from './shop-record.tsx';

const FIELDS = ['sellerName', 'address', 'vatId', 'taxNote', 'disclaimer'] as const;
const PAGES = ['imprint', 'terms', 'privacy', 'withdrawal'] as const;

export default function LegalPage() {
  const record = useShopRecord();
  return (
    <SettingsFrame>
      <Loaded query={record}>{({ data, etag }) => <Legal key={etag} shop={data} etag={etag} />}</Loaded>
    </SettingsFrame>
  );
}

/** Who sells, and the pages that the law asks for. A page is a text, or an address beginning with https. */
function Legal({ shop: { legal }, etag }: { readonly shop: ShopRecord; readonly etag: string | null }) {
  const t = useT();
  const mayWrite = useMay('shops:write');
  const save = useSaveShop(etag);
  const start = Object.fromEntries([
    ...FIELDS.map((name) => [name, legal[name] ?? '']),
    ...PAGES.map((name) => [name, legal.pages[name]?.url ?? legal.pages[name]?.text ?? '']),
  ]) as Readonly<Record<string, string>>;
  const form = useForm(start, (values) => {
    const page = (text: string) => (text === '' ? null : /^https:\/\/\S+$/.test(text) ? { url: text } : { text });
    const seller = Object.fromEntries(FIELDS.map((name) => [name, values[name] === '' ? null : values[name]]));
    return save({
      legal: { ...seller, pages: Object.fromEntries(PAGES.map((name) => [name, page(values[name] ?? '')])) },
    });
  });
  return (
    <>
      <FormProblem form={form} />
      <Card title={t('settings.seller')}>
        <fieldset className="fields" disabled={!mayWrite}>
          {FIELDS.map((name) =>
            name === 'address' || name === 'disclaimer' ? (
              <TextArea
                key={name}
                label={t(`settings.legal.${name}`)}
                rows={3}
                value={form.values[name] ?? ''}
                error={form.errors[`legal.${name}`]}
                onChange={(value) => form.set(name, value)}
              />
            ) : (
              <TextField
                key={name}
                label={t(`settings.legal.${name}`)}
                value={form.values[name] ?? ''}
                error={form.errors[`legal.${name}`]}
                onChange={(value) => form.set(name, value)}
              />
            ),
          )}
        </fieldset>
      </Card>
      <Card title={t('settings.legalPages')}>
        <fieldset className="fields" disabled={!mayWrite}>
          {PAGES.map((name) => (
            <TextArea
              key={name}
              label={t(`settings.legal.${name}`)}
              hint={t('settings.legalHint')}
              value={form.values[name] ?? ''}
              error={form.errors[`legal.pages.${name}.text`] ?? form.errors[`legal.pages.${name}.url`]}
              onChange={(value) => form.set(name, value)}
            />
          ))}
        </fieldset>
      </Card>
      <SaveBar form={form} />
    </>
  );
}
