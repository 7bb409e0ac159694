import { api } from '../../api/client.ts';
import { useState } from 'react';
import { useRefresh, shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useMay, useShop } from '../../app/shop.tsx';
import { LANGUAGES } from '../../lang/language.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SelectField, Switch, TextField, useForm } from '../../ui/form.tsx';
import { Alert, Button, Card } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SettingsFrame } from './frame.tsx';
import { changedOf, SettingsConflict, type ShopRecord, useSaveShop, useShopRecord } from './shop-record.tsx';

const EMAILS = ['sale', 'dispute', 'delivery_failed', 'server_offline'] as const;

const PRICE_RULES = ['eu', 'none'] as const;

const LABELS = {
  displayName: 'shops.name',
  timezone: 'shops.timezone',
  language: 'settings.language',
  supportEmail: 'settings.supportEmail',
  priceRule: 'settings.priceRule',
  ownerEmails: 'settings.emails',
} as const;

const valuesOf = (shop: ShopRecord) => ({
  displayName: shop.displayName,
  timezone: shop.timezone,
  language: shop.language,
  supportEmail: shop.supportEmail ?? '',
  priceRule: shop.priceRule,
  ownerEmails: shop.ownerEmails as readonly string[],
});

export default function ShopSettingsPage() {
  const record = useShopRecord();
  return (
    <SettingsFrame>
      <Loaded query={record}>{({ data, etag }) => <ShopSettings key={etag} shop={data} etag={etag} />}</Loaded>
    </SettingsFrame>
  );
}

function ShopSettings({ shop, etag }: { readonly shop: ShopRecord; readonly etag: string | null }) {
  const t = useT();
  const mayWrite = useMay('shops:write');
  const saving = useSaveShop(etag);
  const start = valuesOf(shop);
  const form = useForm(start, (values) => {
    const { supportEmail, ...changed } = changedOf(values, start);
    return saving.save({ ...changed, ...(supportEmail !== undefined && { supportEmail: supportEmail || null }) });
  });
  const { values, errors } = form;
  const toggle = (name: string, isOn: boolean): void =>
    form.set(
      'ownerEmails',
      EMAILS.filter((one) => (one === name ? isOn : values.ownerEmails.includes(one))),
    );
  return (
    <>
      <SettingsConflict
        form={form}
        before={start}
        saving={saving}
        valuesOf={valuesOf}
        labelOf={(name) => t(LABELS[name as keyof typeof LABELS])}
      />
      <Card title={t('settings.shop')}>
        <fieldset className="fields" disabled={!mayWrite}>
          <TextField
            label={t('shops.name')}
            value={values.displayName}
            error={errors['displayName']}
            onChange={(name) => form.set('displayName', name)}
          />
          <TextField
            label={t('settings.supportEmail')}
            hint={t('settings.supportEmailHint')}
            type="email"
            value={values.supportEmail}
            error={errors['supportEmail']}
            onChange={(email) => form.set('supportEmail', email)}
          />
          <SelectField
            label={t('settings.language')}
            value={values.language}
            options={Object.entries(LANGUAGES)}
            onChange={(language) => form.set('language', language)}
          />
          <SelectField
            label={t('shops.timezone')}
            hint={t('settings.timezoneHint')}
            value={values.timezone}
            error={errors['timezone']}
            options={[...new Set([values.timezone, ...Intl.supportedValuesOf('timeZone')])].map(
              (zone) => [zone, zone.replaceAll('_', ' ')] as const,
            )}
            onChange={(zone) => form.set('timezone', zone)}
          />
          <SelectField
            label={t('settings.priceRule')}
            hint={t('settings.priceRuleHint')}
            value={values.priceRule}
            error={errors['priceRule']}
            options={PRICE_RULES.map((rule) => [rule, t(`settings.priceRule.${rule}`)] as const)}
            onChange={(rule) => form.set('priceRule', rule)}
          />
        </fieldset>
      </Card>
      <Card title={t('settings.emails')}>
        <fieldset className="fields" disabled={!mayWrite}>
          {EMAILS.map((name) => (
            <Switch
              key={name}
              label={t(`settings.email.${name}`)}
              isOn={values.ownerEmails.includes(name)}
              onChange={(isOn) => toggle(name, isOn)}
            />
          ))}
        </fieldset>
      </Card>
      {mayWrite && <Opening isActive={shop.isActive} />}
      <SaveBar form={form} />
    </>
  );
}

/** Closing asks for the name of the shop: nobody can buy any more. */
function Opening({ isActive }: { readonly isActive: boolean }) {
  const t = useT();
  const shop = useShop();
  const refresh = useRefresh();
  const [isClosing, setClosing] = useState(false);
  const path = { shopId: shop._id };
  const change = async (call: Promise<unknown>): Promise<void> => {
    await call;
    await Promise.all([refresh(...shopKey(shop._id)), refresh('shops')]);
  };
  return (
    <Card title={t('settings.opening')}>
      {isActive ? (
        <div className="between">
          <p className="muted">{t('settings.isOpen')}</p>
          <Button look="danger" onClick={() => setClosing(true)}>
            {t('settings.close')}
          </Button>
        </div>
      ) : (
        <Alert
          tone="warn"
          title={t('settings.isClosed')}
          action={
            <Button onClick={() => void change(api.post('/api/v2/shops/{shopId}/reactivate', { path }))}>
              {t('setup.openShop')}
            </Button>
          }
        />
      )}
      <Confirm
        isOpen={isClosing}
        title={t('settings.closeTitle', { name: shop.displayName })}
        act={t('settings.close')}
        keep={t('settings.keepOpen')}
        typed={shop.uniqueName}
        onClose={() => setClosing(false)}
        onAct={() => change(api.delete('/api/v2/shops/{shopId}', { path }))}
      >
        {t('settings.closeText')}
      </Confirm>
    </Card>
  );
}
