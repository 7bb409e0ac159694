import { type Need } from '../../api/types.ts';
import { Link } from '../../app/links.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Time } from '../../ui/parts.tsx';

/** Where each need is ended: below the shop, with the id of its subject. */
const PLACES: Readonly<Record<string, (subject: string) => string>> = {
  order_review: (id) => `orders/${id}`,
  order_disputed: (id) => `orders/${id}`,
  delivery_failed: () => 'deliveries',
  delivery_uncertain: () => 'deliveries',
  server_silent: () => 'servers',
  server_problem: (id) => `servers/${id}`,
  provider_failing: () => 'settings/payments',
  provider_rejected: () => 'settings/payments',
  webhook_failing: () => 'developers/webhooks',
  webhook_disabled: () => 'developers/webhooks',
  domain_pending: () => 'settings/domain',
  domain_missing: () => 'settings/domain',
  mail_refused: () => 'settings',
};
const ICONS: Readonly<Record<string, IconName>> = {
  order_review: 'payment',
  order_disputed: 'shield',
  delivery_failed: 'deliveries',
  delivery_uncertain: 'deliveries',
  server_silent: 'servers',
  server_problem: 'servers',
  mail_refused: 'mail',
};
const BAD = new Set([
  'server_problem',
  'delivery_failed',
  'provider_failing',
  'provider_rejected',
  'webhook_disabled',
  'domain_missing',
  'mail_refused',
]);
/** The reason of these is what somebody else answered; that of the others we say ourselves. */
const QUOTED = new Set([
  'server_problem',
  'delivery_failed',
  'provider_failing',
  'provider_rejected',
  'webhook_failing',
  'mail_refused',
  'order_review',
]);

/** What needs a person first: the fact, the reason, and one button named by the act. */
export function Needs({ needs }: { readonly needs: readonly Need[] }) {
  const t = useT();
  const shop = useShop();
  if (needs.length === 0) {
    return (
      <section className="card row">
        <Icon name="check" />
        <span>{t('home.nothing')}</span>
      </section>
    );
  }
  return (
    <section className="card flush" aria-labelledby="needs">
      <div className="between line">
        <h2 id="needs">{t('home.needs')}</h2>
        <span className="n bad">{needs.length}</span>
      </div>
      <ul className="todo">
        {needs.map(({ kind, subject, name, reason, since, count, action, mayAct }, index) => (
          <li key={index}>
            <span className={`ic ${BAD.has(kind) ? 'bad' : 'warn'}`}>
              <Icon name={ICONS[kind] ?? 'warning'} />
            </span>
            <span className="grow">
              <b>{t(`need.${kind}`, { name: name ?? t('orders.anyServer'), count })}</b>
              <small>
                {since !== null && (
                  <>
                    <Time at={since} />
                    {' · '}
                  </>
                )}
                {QUOTED.has(kind) ? reason : t(`need.text.${kind}`)}
              </small>
            </span>
            <Link className="btn" to={`/${shop.uniqueName}/${PLACES[kind]?.(subject ?? '') ?? ''}`}>
              {t(mayAct ? `need.act.${action}` : 'home.look')}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
