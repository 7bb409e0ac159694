import { apiUrl } from '../../api/client.ts';
import { Link } from '../../app/links.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';

/** What developers look at. */
export function Sections({ current }: { readonly current: 'keys' | 'webhooks' | 'rejected' }) {
  const t = useT();
  const base = `/${useShop().uniqueName}/developers`;
  const mark = (name: string) => (name === current ? 'page' : undefined);
  return (
    <nav className="tabs" aria-label={t('developers.title')}>
      <Link to={base} aria-current={mark('keys')}>
        {t('developers.keys')}
      </Link>
      <Link to={`${base}/webhooks`} aria-current={mark('webhooks')}>
        {t('developers.webhooks')}
      </Link>
      <Link to={`${base}/rejected`} aria-current={mark('rejected')}>
        {t('developers.rejected')}
      </Link>
      <a href={apiUrl('/docs')} target="_blank" rel="noreferrer">
        {t('developers.apiPages')}
      </a>
    </nav>
  );
}
