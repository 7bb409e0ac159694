import { type Schemas } from '@shop-platform/client';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { CheckList, NumberField, TimeField } from '../../ui/extra-fields.tsx';
import { type Form, FormProblem, SelectField, Switch, TextArea, TextField } from '../../ui/form.tsx';
import { Alert, Card } from '../../ui/parts.tsx';
import { useShopRecord } from '../settings/shop-record.tsx';
import { CommandsField } from './commands-field.tsx';
import { ImagesField } from './images-field.tsx';
import { type ProductValues } from './product-form.ts';
import { useCategories, useServers } from './queries.ts';

const SUMMARY_LENGTH = 120;

interface Props {
  readonly form: Form<ProductValues>;
}

/** All fields of a product. */
export function ProductFields(props: Props & { readonly warnings: readonly Schemas['ProductWarningDto'][] }) {
  const t = useT();
  const { form, warnings } = props;
  return (
    <>
      <FormProblem form={form} />
      {warnings.length > 0 && (
        <Alert tone="warn" title={t('products.savedWithWarnings')}>
          {warnings.map(({ code, message, field }) => (
            <span className="block" key={`${code} ${field} ${message}`}>
              {t(`products.warning.${code}`)}
            </span>
          ))}
        </Alert>
      )}
      <div className="grid2">
        <div className="stack">
          <Seen form={form} />
          <InGame form={form} />
        </div>
        <aside className="stack" aria-label={t('products.selling')}>
          <Price form={form} />
          <Places form={form} />
          <Times form={form} />
          <Card>
            <Switch
              label={<b className="b6">{t('products.state.onSale')}</b>}
              hint={t('products.onSaleHint')}
              isOn={form.values.isActive}
              onChange={(isActive) => form.set('isActive', isActive)}
            />
          </Card>
        </aside>
      </div>
    </>
  );
}

function Seen({ form }: Props) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('products.seen')} className="fields">
      <TextField
        label={t('products.name')}
        value={values.name}
        error={errors['name']}
        maxLength={80}
        onChange={(name) => set('name', name)}
      />
      <TextField
        label={t('products.summary')}
        hint={t('products.summaryHint', { count: values.summary.length, max: SUMMARY_LENGTH })}
        value={values.summary}
        error={errors['summary']}
        onChange={(summary) => set('summary', summary)}
      />
      <TextArea
        label={t('products.description')}
        hint={t('products.descriptionHint')}
        rows={6}
        value={values.description}
        error={errors['description']}
        onChange={(description) => set('description', description)}
      />
      <ImagesField
        values={values.imageIds}
        error={errors['imageIds']}
        onChange={(imageIds) => set('imageIds', imageIds)}
      />
    </Card>
  );
}

type Stage = 'commands' | 'extendCommands' | 'upgradeCommands' | 'takeBackCommands' | 'expiryCommands';

function InGame({ form }: Props) {
  const t = useT();
  const { values, errors, set } = form;
  const stage = (name: Stage, rows = 2) => (
    <CommandsField
      label={t(`products.${name}`)}
      rows={rows}
      value={values[name]}
      error={errors[name]}
      onChange={(commands) => set(name, commands)}
    />
  );
  return (
    <Card title={t('products.inGame')} className="fields">
      {stage('commands', 3)}
      {stage('upgradeCommands')}
      {stage('takeBackCommands')}
      <NumberField
        label={t('products.durationDays')}
        unit={t('products.days')}
        placeholder={t('products.forever')}
        value={values.durationDays}
        error={errors['durationDays']}
        onChange={(days) => set('durationDays', days)}
      />
      {values.durationDays !== '' && (
        <>
          {stage('extendCommands')}
          {stage('expiryCommands')}
        </>
      )}
      <Switch
        label={t('products.requiresOnline')}
        isOn={values.requiresOnline}
        onChange={(requiresOnline) => set('requiresOnline', requiresOnline)}
      />
    </Card>
  );
}

function Price({ form }: Props) {
  const t = useT();
  const { currency } = useShop();
  const priceRule = useShopRecord().data?.data.priceRule;
  const { values, errors, set } = form;
  return (
    <Card title={t('products.price')} className="fields">
      <NumberField
        label={t('products.price')}
        unit={currency}
        value={values.price}
        error={errors['price']}
        onChange={(price) => set('price', price)}
      />
      {priceRule === 'none' && (
        <NumberField
          label={t('products.compareAtPrice')}
          hint={t('products.compareAtPriceHint')}
          unit={currency}
          value={values.compareAtPrice}
          error={errors['compareAtPrice']}
          onChange={(price) => set('compareAtPrice', price)}
        />
      )}
    </Card>
  );
}

function Places({ form }: Props) {
  const t = useT();
  const servers = useServers();
  const categories = useCategories().data ?? [];
  const { values, errors, set } = form;
  return (
    <Card title={t('products.where')} className="fields">
      {servers.length > 0 && (
        <CheckList
          label={t('products.servers')}
          hint={t('products.serversHint')}
          options={servers.map(({ id, name }) => [id, name] as const)}
          values={values.serverIds}
          onChange={(serverIds) => set('serverIds', serverIds)}
        />
      )}
      <SelectField
        label={t('products.category')}
        value={values.categoryId}
        error={errors['categoryId']}
        options={[['', t('products.noCategory')], ...categories.map(({ id, name }) => [id, name] as const)]}
        onChange={(categoryId) => set('categoryId', categoryId)}
      />
      <div className="fields two">
        <NumberField
          label={t('products.stock')}
          placeholder={t('products.noLimit')}
          value={values.stock}
          error={errors['stock']}
          onChange={(stock) => set('stock', stock)}
        />
        <NumberField
          label={t('products.maxPerBuyer')}
          placeholder={t('products.noLimit')}
          value={values.maxPerBuyer}
          error={errors['maxPerBuyer']}
          onChange={(maxPerBuyer) => set('maxPerBuyer', maxPerBuyer)}
        />
      </div>
    </Card>
  );
}

function Times({ form }: Props) {
  const t = useT();
  const { values, errors, set } = form;
  return (
    <Card title={t('products.when')} className="fields">
      <TimeField
        label={t('products.availableFrom')}
        value={values.availableFrom}
        error={errors['availableFrom']}
        onChange={(time) => set('availableFrom', time)}
      />
      <TimeField
        label={t('products.availableUntil')}
        value={values.availableUntil}
        error={errors['availableUntil']}
        onChange={(time) => set('availableUntil', time)}
      />
    </Card>
  );
}
