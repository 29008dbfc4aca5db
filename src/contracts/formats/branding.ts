// The format `branding`. Every key is optional: what has no evidence is left out, never null.
import { z } from 'zod';

const text = z.string().optional();
const hex = text.describe('As `#RRGGBB`.');
const number = z.number().optional();
const stack = z.array(z.string()).optional();
const px = text.describe('As CSS writes it: `16px`.');

export const brandingComponent = z.lazy(() =>
  z.object({
    background: z.string().optional().describe('As `#RRGGBB`, or `transparent`.'),
    textColor: hex,
    borderColor: hex.describe('Absent if there is no border.'),
    borderRadius: px,
    borderRadiusCorners: z.object({ topLeft: px, topRight: px, bottomRight: px, bottomLeft: px }).optional(),
    shadow: text,
  }),
);

export const branding = z.lazy(() =>
  z.object({
    colorScheme: z.enum(['light', 'dark']).optional(),
    brandName: text,
    logo: text.describe('A URL, or the drawing itself as a `data:` URI.'),
    fonts: z.array(z.object({ family: z.string(), role: z.enum(['heading', 'body', 'code']).optional() })).optional(),
    colors: z
      .object({
        primary: hex,
        secondary: hex,
        accent: hex,
        background: hex,
        textPrimary: hex,
        textSecondary: hex,
        link: hex,
        success: hex,
        warning: hex,
        error: hex,
      })
      .optional(),
    typography: z
      .object({
        fontFamilies: z.object({ primary: text, heading: text, code: text }).optional(),
        fontStacks: z.object({ primary: stack, heading: stack, body: stack, paragraph: stack }).optional(),
        fontSizes: z.object({ h1: px, h2: px, h3: px, body: px, small: px }).optional(),
        lineHeights: z.object({ heading: number, body: number }).optional().describe('Multiples of the font size.'),
        fontWeights: z
          .object({
            light: number,
            regular: number,
            medium: number,
            bold: number,
            h1: number,
            h2: number,
            body: number,
          })
          .optional(),
      })
      .optional(),
    spacing: z.object({ baseUnit: number, gridGutter: number, borderRadius: px }).optional().describe('In pixels.'),
    components: z
      .object({
        buttonPrimary: brandingComponent.optional(),
        buttonSecondary: brandingComponent.optional(),
        input: brandingComponent.optional(),
      })
      .optional(),
    icons: z.object({ style: z.enum(['outline', 'filled']).optional(), primaryColor: hex }).optional(),
    images: z.object({ logo: text, logoHref: text, logoAlt: text, favicon: text, ogImage: text }).optional(),
    animations: z.object({ transitionDuration: text, easing: text }).optional(),
    layout: z
      .object({
        grid: z.object({ columns: number, maxWidth: px }).optional(),
        headerHeight: px,
        footerHeight: px,
      })
      .optional(),
    tone: z.object({ voice: text, emojiUsage: text }).optional().describe('With a language model only.'),
    personality: z
      .object({
        tone: z.enum(['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold']).optional(),
        energy: z.enum(['low', 'medium', 'high']).optional(),
        targetAudience: text,
      })
      .optional()
      .describe('With a language model only.'),
  }),
);

export type Branding = z.output<typeof branding>;
export type BrandedComponent = z.output<typeof brandingComponent>;
