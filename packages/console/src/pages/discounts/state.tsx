import { type Schemas } from '@shop-platform/client';
import { useLanguage, useT } from '../../lang/language.tsx';
import { when } from '../../ui/formats.ts';
import { Badge } from '../../ui/parts.tsx';

const FEW = 5;

/** Whether a code works now. */
export function DiscountState({ discount }: { readonly discount: Schemas['DiscountDto'] }) {
  const t = useT();
  const { language } = useLanguage();
  const { isActive, startsAt, endsAt, maxUses, used } = discount;
  const left = maxUses === null ? null : maxUses - used;
  if (!isActive) return <Badge tone="ring">{t('discounts.state.off')}</Badge>;
  if (endsAt !== null && Date.parse(endsAt) <= Date.now())
    return <Badge tone="ring">{t('discounts.state.ended')}</Badge>;
  if (left !== null && left <= 0) return <Badge tone="ring">{t('discounts.state.used')}</Badge>;
  if (startsAt !== null && Date.parse(startsAt) > Date.now()) {
    return <Badge tone="info">{t('discounts.state.from', { time: when(startsAt, language) })}</Badge>;
  }
  if (left !== null && left <= FEW) return <Badge tone="warn">{t('discounts.state.left', { count: left })}</Badge>;
  return <Badge tone="good">{t('discounts.state.works')}</Badge>;
}
