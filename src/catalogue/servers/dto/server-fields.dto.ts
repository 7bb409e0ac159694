import { BooleanField, StringField } from '../../../http/validation/fields.js';

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class ServerFields {
  @StringField({ maxLength: 80, description: 'Name.', example: 'Survival' })
  name!: string;

  @StringField({ maxLength: 40, description: 'The game.', example: 'minecraft' })
  game!: string;

  @StringField({
    nullable: true,
    maxLength: 253,
    description: 'Where players connect. Everybody can read it, unless the server is hidden.',
    example: 'play.example.com',
  })
  address!: string | null;

  @BooleanField({
    description:
      'Whether the server is hidden from the public: its status, its address, and its id in public products.',
    example: false,
  })
  isHidden!: boolean;
}
