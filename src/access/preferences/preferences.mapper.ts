import { type SavedViewsDto, type SettingsDto } from './dto/preferences.dto.js';
import { type SavedView, type Settings } from './preferences.types.js';

export const toSettingsDto = ({ language, look, shortcuts }: Settings): SettingsDto => ({ language, look, shortcuts });

export function toSavedViewsDto(views: readonly SavedView[]): SavedViewsDto {
  return { views: views.map(({ list, name, filters }) => ({ list, name, filters })) };
}
