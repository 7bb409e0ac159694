import { useT } from '../../lang/language.tsx';
import { TextField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/parts.tsx';
import { type ShopLink } from './storefront-form.ts';

/** Links with what they say. */
export function LinkFields(props: {
  readonly label: string;
  /** The name in the API. */
  readonly name: string;
  readonly most: number;
  readonly values: readonly ShopLink[];
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (links: readonly ShopLink[]) => void;
}) {
  const t = useT();
  const { values, errors, onChange } = props;
  const change = (index: number, changes: Partial<ShopLink>): void =>
    onChange(values.map((link, at) => (at === index ? { ...link, ...changes } : link)));
  // The API names the entry, too; the whole list has one place for what is wrong.
  const problem = Object.entries(errors).find(([field]) => field.startsWith(props.name))?.[1];
  return (
    <fieldset className="fields">
      <legend className="lab">{props.label}</legend>
      {values.map((link, index) => (
        <div className="link-row" key={index}>
          <TextField
            label={t('storefront.linkLabel')}
            name={`${props.name}.${index}.label`}
            maxLength={40}
            value={link.label}
            onChange={(label) => change(index, { label })}
          />
          <TextField
            label={t('storefront.linkUrl')}
            name={`${props.name}.${index}.url`}
            type="url"
            value={link.url}
            onChange={(url) => change(index, { url })}
          />
          <Button
            look="plain"
            icon="close"
            aria-label={t('storefront.removeLink', { name: link.label })}
            onClick={() => onChange(values.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {problem !== undefined && (
        <p className="err" role="alert">
          <Icon name="warning" />
          {problem}
        </p>
      )}
      {values.length < props.most && (
        <Button icon="plus" className="start-self" onClick={() => onChange([...values, { label: '', url: '' }])}>
          {t('storefront.addLink')}
        </Button>
      )}
    </fieldset>
  );
}
