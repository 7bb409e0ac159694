import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useGo } from '../../app/links.tsx';
import { useLanguage } from '../../lang/language.tsx';
import { FormProblem, SelectField, TextField, useForm } from '../../ui/form.tsx';
import { Button } from '../../ui/parts.tsx';
import { uniqueNameOf } from './unique-name.ts';

const EUROPE = /^Europe\//;

/** A new shop is closed until its checklist is done. */
export default function NewShopPage() {
  const { t, language } = useLanguage();
  const go = useGo();
  const client = useQueryClient();
  const meta = useQuery({
    queryKey: ['meta'],
    queryFn: () => dataOf(api.get('/api/v2/meta')),
    staleTime: Infinity,
  }).data;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const start = {
    displayName: '',
    uniqueName: '',
    currency: EUROPE.test(timezone) ? 'EUR' : 'USD',
    timezone,
    preset: 'minecraft-java',
  };
  const form = useForm(start, async ({ preset, ...shop }) => {
    const body = { ...shop, nicknameRule: { preset }, language, isActive: false };
    const { uniqueName } = await dataOf(api.post('/api/v2/shops', { body }));
    await client.invalidateQueries({ queryKey: ['shops'] });
    go(`/${uniqueName}`, {}, true);
  });
  const { values, errors } = form;
  // The address follows the name until somebody changes it.
  const setName = (displayName: string): void => {
    if (values.uniqueName === uniqueNameOf(values.displayName)) form.set('uniqueName', uniqueNameOf(displayName));
    form.set('displayName', displayName);
  };
  const names = new Intl.DisplayNames([language], { type: 'currency' });
  const zones = [...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  const codes = meta?.currencies.map(({ code }) => code) ?? [values.currency];
  return (
    <main className="center">
      <div className="login">
        <form className="card" onSubmit={(event) => void form.submit(event)}>
          <h1>{t('shops.newTitle')}</h1>
          <p className="muted">{t('shops.newText')}</p>
          <FormProblem form={form} />
          <TextField
            label={t('shops.name')}
            name="displayName"
            required
            value={values.displayName}
            error={errors['displayName']}
            onChange={setName}
          />
          <TextField
            label={t('shops.address')}
            hint={t('shops.addressHint')}
            name="uniqueName"
            required
            value={values.uniqueName}
            error={errors['uniqueName']}
            onChange={(uniqueName) => form.set('uniqueName', uniqueName)}
          />
          <SelectField
            label={t('shops.currency')}
            hint={t('shops.currencyHint')}
            value={values.currency}
            error={errors['currency']}
            options={codes.map((code) => [code, `${code} · ${names.of(code) ?? code}`] as const)}
            onChange={(currency) => form.set('currency', currency)}
          />
          <SelectField
            label={t('shops.timezone')}
            value={values.timezone}
            error={errors['timezone']}
            options={zones.map((zone) => [zone, zone.replaceAll('_', ' ')] as const)}
            onChange={(zone) => form.set('timezone', zone)}
          />
          <SelectField
            label={t('shops.game')}
            value={values.preset}
            error={errors['nicknameRule.preset']}
            options={(meta?.nicknameRules ?? [{ preset: values.preset }])
              .filter(({ preset }) => preset !== 'custom')
              .map(({ preset }) => [preset, t(`game.${preset}`)] as const)}
            onChange={(preset) => form.set('preset', preset)}
          />
          <Button type="submit" look="main" isBusy={form.isBusy}>
            {t('shops.create')}
          </Button>
        </form>
      </div>
    </main>
  );
}
