import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  FollowsRule,
  ObjectListField,
  StringField,
} from '../../../http/validation/fields.js';
import { type Language, LANGUAGES } from '../../../lib/formats/languages.js';
import {
  type Look,
  LOOKS,
  MAX_VIEW_FILTERS,
  MAX_VIEW_NAME,
  MAX_VIEWS,
  VIEWED_LISTS,
  type ViewedList,
} from '../preferences.types.js';
import { filterProblems, viewProblems } from '../view-rules.js';

@ApiSchema({ description: 'How the pages of staff look for a person.' })
export class SettingsDto {
  @ChoiceField({
    nullable: true,
    oneOf: LANGUAGES,
    description: 'The language of the pages; null: as the browser says.',
    example: 'de',
  })
  language!: Language | null;

  @ChoiceField({ oneOf: LOOKS, description: '`device`: light or dark as the device says.', example: 'device' })
  look!: Look;

  @BooleanField({ description: 'Whether single letters are keyboard shortcuts.', example: true })
  shortcuts!: boolean;
}

@ApiSchema({ description: 'Filters of a list under a name.' })
export class SavedViewDto {
  @ChoiceField({ oneOf: VIEWED_LISTS, description: 'The list.', example: 'orders' })
  list!: ViewedList;

  @StringField({ maxLength: MAX_VIEW_NAME, description: 'Its name, unique in the list.', example: 'Waits too long' })
  name!: string;

  @FollowsRule((filters: string) => filterProblems(filters))
  @StringField({
    minLength: 0,
    maxLength: MAX_VIEW_FILTERS,
    description:
      'The filters, as the query of the list has them. Those that can name a buyer (`q`, `email`, `nickname`, `paymentId`) are rejected.',
    example: 'deliveryStatus=queued&sort=oldest',
  })
  filters!: string;
}

const VIEWS_EXAMPLE = [{ list: 'orders', name: 'Waits too long', filters: 'deliveryStatus=queued&sort=oldest' }];

@ApiSchema({ description: 'The views that a person has saved in a shop, in their order.' })
export class SavedViewsDto {
  @FollowsRule((views: SavedViewDto[]) => viewProblems(views))
  @ObjectListField({ maxItems: MAX_VIEWS, description: 'All views.', example: VIEWS_EXAMPLE }, () => SavedViewDto)
  views!: SavedViewDto[];
}
