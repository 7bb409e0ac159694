import { SaveBar } from '../../app/save-bar.tsx';
import { useMay } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { type Form, TextArea, TextField, useForm } from '../../ui/form.tsx';
import { Card, Choice } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SettingsFrame } from './frame.tsx';
import { changedOf, SettingsConflict, type ShopRecord, useSaveShop, useShopRecord } from './shop-record.tsx';

const SELLER = ['sellerName', 'address', 'vatId', 'taxNote', 'disclaimer'] as const;
const PAGES = ['imprint', 'terms', 'privacy', 'withdrawal'] as const;
const KINDS = ['none', 'text', 'url'] as const;

interface LegalPage {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly url: string;
}
/** The names are those of the API, so that its errors find their field. */
type LegalValues = Readonly<Record<`legal.${(typeof SELLER)[number]}`, string>> &
  Readonly<Record<`legal.pages.${(typeof PAGES)[number]}`, LegalPage>>;

function valuesOf({ legal }: ShopRecord): LegalValues {
  const pageOf = (page: ShopRecord['legal']['pages']['terms']): LegalPage => {
    const kind = page == null ? 'none' : page.url == null ? 'text' : 'url';
    return { kind, text: page?.text ?? '', url: page?.url ?? '' };
  };
  return Object.fromEntries([
    ...SELLER.map((name) => [`legal.${name}`, legal[name] ?? '']),
    ...PAGES.map((name) => [`legal.pages.${name}`, pageOf(legal.pages[name])]),
  ]) as LegalValues;
}

/** What was changed, as the API takes it. */
function bodyOf(changed: Partial<LegalValues>): object {
  const pageOf = ({ kind, text, url }: LegalPage) =>
    kind === 'none' ? null : kind === 'text' ? { text, url: null } : { text: null, url };
  const entries = Object.entries(changed).map(([name, value]) => [name.split('.').at(-1) ?? '', value] as const);
  const texts = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value || null] as const] : []));
  const pages = entries.flatMap(([name, value]) => (typeof value === 'string' ? [] : [[name, pageOf(value)] as const]));
  const seller: Readonly<Record<string, string | null>> = Object.fromEntries(texts);
  return { legal: { ...seller, ...(pages.length > 0 && { pages: Object.fromEntries(pages) }) } };
}

export default function LegalSettingsPage() {
  const record = useShopRecord();
  return (
    <SettingsFrame>
      <Loaded query={record}>{({ data, etag }) => <Legal key={etag} shop={data} etag={etag} />}</Loaded>
    </SettingsFrame>
  );
}

/** Who sells, and the pages that the law asks for. */
function Legal({ shop, etag }: { readonly shop: ShopRecord; readonly etag: string | null }) {
  const t = useT();
  const mayWrite = useMay('shops:write');
  const saving = useSaveShop(etag);
  const start = valuesOf(shop);
  const form = useForm<LegalValues>(start, (values) => saving.save(bodyOf(changedOf(values, start))));
  return (
    <>
      <SettingsConflict
        form={form}
        before={start}
        saving={saving}
        valuesOf={valuesOf}
        labelOf={(name) => t(`settings.${name.replace('.pages', '')}`)}
      />
      <Card title={t('settings.seller')}>
        <fieldset className="fields" disabled={!mayWrite}>
          {SELLER.map((name) => {
            const field = `legal.${name}` as const;
            const shared = {
              label: t(`settings.legal.${name}`),
              value: form.values[field],
              error: form.errors[field],
              onChange: (text: string) => form.set(field, text),
            };
            return name === 'address' || name === 'disclaimer' ? (
              <TextArea key={name} rows={3} maxLength={400} {...shared} />
            ) : (
              <TextField key={name} name={field} maxLength={400} {...shared} />
            );
          })}
        </fieldset>
      </Card>
      <Card title={t('settings.legalPages')}>
        <fieldset className="fields" disabled={!mayWrite}>
          {PAGES.map((name) => (
            <LegalPageField key={name} name={name} form={form} />
          ))}
        </fieldset>
      </Card>
      <SaveBar form={form} />
    </>
  );
}

/** A page of its own: written here, elsewhere, or none. */
function LegalPageField({ name, form }: { readonly form: Form<LegalValues>; readonly name: (typeof PAGES)[number] }) {
  const t = useT();
  const field = `legal.pages.${name}` as const;
  const page = form.values[field];
  const label = t(`settings.legal.${name}`);
  const problem = Object.entries(form.errors).find(([at]) => at.startsWith(field))?.[1];
  return (
    <div className="field">
      <span className="between wrapx">
        <span className="lab">{label}</span>
        <Choice
          label={label}
          value={page.kind}
          options={KINDS.map((kind) => [kind, t(`settings.kind.${kind}`)])}
          onChange={(kind) => form.set(field, { ...page, kind })}
        />
      </span>
      {page.kind === 'text' && (
        <TextArea
          label={<span className="sr">{label}</span>}
          hint={t('settings.markdown')}
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
