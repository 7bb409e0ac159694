import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useT } from '../lang/language.tsx';
import { Alert, Button } from '../ui/parts.tsx';

/** Above every page: nothing can be read now, what is shown could not be read again, or a newer version of the console is there. */
export function Connection() {
  return (
    <div className="connection" role="status">
      <Notice />
    </div>
  );
}

function Notice() {
  const t = useT();
  const client = useQueryClient();
  const isOffline = useIsOffline();
  const isOld = useIsOld();
  const isStale = useIsStale();
  if (isOld) {
    const reload = <Button onClick={() => window.location.reload()}>{t('state.reload')}</Button>;
    return <Alert tone="warn" title={t('state.newVersion')} action={reload} />;
  }
  if (isOffline) return <Alert tone="warn" title={t('state.offline')} />;
  if (!isStale) return null;
  const again = <Button onClick={() => void client.refetchQueries({ type: 'active' })}>{t('common.again')}</Button>;
  return <Alert tone="warn" title={t('state.stale')} action={again} />;
}

function useIsOffline(): boolean {
  const listen = (onChange: () => void): (() => void) => {
    window.addEventListener('online', onChange);
    window.addEventListener('offline', onChange);
    return () => {
      window.removeEventListener('online', onChange);
      window.removeEventListener('offline', onChange);
    };
  };
  return useSyncExternalStore(listen, () => !navigator.onLine);
}

/** Whether a part of this version is gone from the service. */
function useIsOld(): boolean {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    const outdated = (event: Event): void => {
      event.preventDefault();
      setOld(true);
    };
    window.addEventListener('vite:preloadError', outdated);
    return () => window.removeEventListener('vite:preloadError', outdated);
  }, []);
  return isOld;
}

/** Whether the page shows something that it has read before and could not read again. */
function useIsStale(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.getAll().some((query) => query.isActive() && query.state.error && query.state.data !== undefined),
  );
}
