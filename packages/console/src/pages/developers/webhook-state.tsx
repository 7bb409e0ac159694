import { useT } from '../../lang/language.tsx';
import { Badge } from '../../ui/parts.tsx';
import { type Webhook } from './webhook-form.tsx';

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  if (!webhook.isActive) return <Badge tone="ring">{t('developers.state.off')}</Badge>;
  if (webhook.failingSince !== null) return <Badge tone="bad">{t('developers.state.failing')}</Badge>;
  return <Badge tone="good">{t('developers.state.on')}</Badge>;
}
