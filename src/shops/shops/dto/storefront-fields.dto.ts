import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import {
  ChoiceField,
  FollowsRule,
  MultiLineField,
  ObjectField,
  ObjectListField,
  StringField,
  StringListField,
  UniqueEntries,
} from '../../../http/validation/fields.js';
import { ImageIdField } from '../../../http/validation/image-id.field.js';
import { HttpsUrlField, OriginListField, WebUrlField } from '../../../http/validation/url.fields.js';
import { langProblems, noticeProblems } from '../shop-rules.js';
import { FONTS, type Font, MODES, type Mode, PAGE_PARTS, type PagePart } from '../storefront.types.js';

const LINK = { label: 'Discord', url: 'https://discord.example/sky-realm' };

@ApiSchema({ description: 'A link on pages of the shop.' })
export class LinkDto {
  @StringField({ maxLength: 40, description: 'What the link says.', example: LINK.label })
  label!: string;

  @WebUrlField({ description: 'Where it leads.', example: LINK.url })
  url!: string;
}

@ApiSchema({ description: 'How the pages of the shop look.' })
export class ThemeDto {
  @ChoiceField({ oneOf: FONTS, description: 'The font; `device`: that of the device.', example: 'manrope' })
  font!: Font;

  @ChoiceField({ oneOf: MODES, description: 'Light or dark; `auto`: as the device is set.', example: 'auto' })
  mode!: Mode;
}

@ApiSchema({ description: 'The top of the first page.' })
export class HeroDto {
  @StringField({ nullable: true, maxLength: 80, description: 'Title; null: none.', example: 'Your island is waiting.' })
  title!: string | null;

  @StringField({
    nullable: true,
    maxLength: 300,
    description: 'The sentence below it; null: none.',
    example: 'Ranks, crates and cosmetics.',
  })
  text!: string | null;

  @ImageIdField({
    nullable: true,
    description: 'The image of the shop behind it (`POST /images/{shopId}`); null: none.',
  })
  imageId!: string | null;

  @ObjectListField({ maxItems: 2, description: 'Its links, the main one first.', example: [LINK] }, () => LinkDto)
  links!: readonly LinkDto[];
}

@ApiSchema({ description: 'One line above every page.' })
export class NoticeDto {
  @StringField({ maxLength: 200, description: 'What it says.', example: 'Keys are 25 % off until Sunday' })
  text!: string;

  @StringField({
    optional: true,
    nullable: true,
    maxLength: 40,
    description: 'What its link says; null without a link.',
    example: 'To the keys',
  })
  label: string | null = null;

  @WebUrlField({
    optional: true,
    nullable: true,
    description: 'Where its link leads; null without a link.',
    example: 'https://sky-realm.example/keys',
  })
  url: string | null = null;
}

@ApiSchema({ description: 'A theme to change. An absent field keeps its value.' })
export class UpdateThemeDto extends BodyToUpdate(ThemeDto) {}

@ApiSchema({ description: 'A top to change. An absent field keeps its value.' })
export class UpdateHeroDto extends BodyToUpdate(HeroDto) {}

/** What an owner says about the pages of the shop. Pages print all of it: strings, and URLs of http(s) only. */
export class StorefrontFields {
  @HttpsUrlField({
    nullable: true,
    description: "The shop's logo, an https URL; null: none.",
    example: 'https://cdn.example.com/logo.png',
  })
  logoUrl!: string | null;

  @ImageIdField({
    nullable: true,
    description: 'The image of the shop that is its logo (`POST /images/{shopId}`), instead of `logoUrl`; null: none.',
  })
  logoId!: string | null;

  @FollowsRule(langProblems)
  @StringField({
    nullable: true,
    maxLength: 35,
    description: 'The language in which the shop itself writes (BCP 47), such as `fr`; null: `language`.',
    example: null,
  })
  lang!: string | null;

  @ObjectField(
    { description: 'How the pages look. An absent field keeps its value.', example: { mode: 'dark' } },
    () => UpdateThemeDto,
  )
  theme!: UpdateThemeDto;

  @ObjectListField(
    { maxItems: 10, description: 'Links at the foot of pages, such as to a community.', example: [LINK] },
    () => LinkDto,
  )
  links!: readonly LinkDto[];

  @ObjectField(
    { description: 'The top of the first page. An absent field keeps its value.', example: { title: 'Welcome' } },
    () => UpdateHeroDto,
  )
  hero!: UpdateHeroDto;

  @FollowsRule(noticeProblems)
  @ObjectField(
    {
      nullable: true,
      description: 'One line above every page; null: none.',
      example: { text: 'Keys are 25 % off until Sunday', label: null, url: null },
    },
    () => NoticeDto,
  )
  notice!: NoticeDto | null;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'What the goal of the month pays for; null: nothing is said.',
    example: 'Pays for the new lobby.',
  })
  goalText!: string | null;

  @UniqueEntries()
  @StringListField({
    oneOf: PAGE_PARTS,
    maxItems: PAGE_PARTS.length,
    maxLength: 20,
    description:
      'The parts of the first page, in their order; one that is absent is not shown. A part with the name of a widget also needs the widget. ' +
      'All by default.',
    example: ['hero', 'categories', 'featured'],
  })
  parts!: readonly PagePart[];

  @MultiLineField({
    nullable: true,
    minLength: 1,
    maxLength: 500,
    description: 'What a visitor reads while the shop is closed; null: only that it is closed.',
    example: 'We open again on Friday, 4 December.',
  })
  closedText!: string | null;

  @OriginListField({
    maxItems: 10,
    description:
      'Further origins of the front end: their scripts may call the API, and a payment may return to them. Outside production, every origin of ' +
      'this computer may do both.',
    example: ['https://preview.sky-realm.example'],
  })
  origins!: readonly string[];
}
