// A village cookbook in plain HTML: headings, lists and one line of facts.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Mrs Pryce’s Welsh Cakes',
    serves: 12,
    prep: 15,
    total: 25,
    level: 'Easy',
    parts: ['225g self-raising flour', '110g butter', '85g caster sugar', 'handful of currants', '1 egg'],
    steps: [
      'Rub the butter into the flour.',
      'Stir in the sugar and currants, then the egg.',
      'Roll out, cut into rounds and cook on a hot griddle, three minutes a side.',
    ],
  },
  {
    name: 'Harvest Vegetable Pie',
    serves: 6,
    prep: 30,
    total: 80,
    level: 'Medium',
    parts: ['500g shortcrust pastry', '2 leeks', '3 carrots', '200g cheddar'],
    steps: [
      'Soften the vegetables in butter.',
      'Fill the pie, cover with pastry and brush with egg.',
      'Bake for 50 minutes.',
    ],
  },
  {
    name: 'Rhubarb Fool',
    serves: 4,
    prep: 10,
    total: 30,
    level: 'Easy',
    parts: ['400g rhubarb', '75g sugar', '300ml double cream'],
    steps: ['Stew the rhubarb with the sugar and leave to cool.', 'Whip the cream and fold together.'],
  },
  {
    name: 'Beef and Ale Stew',
    serves: 8,
    prep: 25,
    total: 205,
    level: 'Medium',
    parts: ['1.5kg shin of beef', '2 onions', '500ml brown ale', '2 bay leaves'],
    steps: ['Brown the beef in batches.', 'Add everything else.', 'Cook gently for three hours.'],
  },
  {
    name: 'Three-Tier Honey Cake',
    serves: 16,
    prep: 60,
    total: 180,
    level: 'Hard',
    parts: ['450g honey', '600g flour', '6 eggs', '500ml soured cream'],
    steps: [
      'Warm the honey and stir in the flour and eggs.',
      'Bake three layers.',
      'Sandwich with the cream and rest overnight.',
    ],
  },
];

const words = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [hours > 0 ? `${hours} hr` : '', rest > 0 ? `${rest} min` : ''].filter((part) => part !== '');
  return parts.join(' ');
};

export const villageCookbook = pagesOf({
  kind: 'recipe',
  name: 'village-cookbook',
  items: ITEMS,
  url: ({ name }) => `https://llanfair-cookbook.example/${slug(name)}.htm`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      servings: { type: 'integer', description: 'How many people it serves' },
      prepTime: { type: 'string' },
      totalTime: { type: 'string' },
      difficulty: { type: 'string' },
      ingredients: { type: 'array', items: { type: 'string' } },
      method: { type: 'array', items: { type: 'string' }, description: 'Steps' },
      vegan: { type: 'boolean' },
    },
    required: ['name', 'ingredients', 'method'],
  },
  html: (
    item,
  ) => `<html lang="en"><head><title>Llanfair Village Cookbook</title></head><body bgcolor="#fffef0"><p><a href="index.htm">Contents</a> | <a href="cakes.htm">Cakes</a> | <a href="mains.htm">Mains</a></p>
<h1>${item.name}</h1><p>Serves: ${item.serves} | Prep: ${words(item.prep)} | Total: ${words(item.total)} | Difficulty: ${item.level}</p>
<p>This one has been at every harvest supper since 1974, and there has never been any left to take home.</p>
<h2>Ingredients</h2><ul>${each(item.parts, (part) => `<li>${part}</li>`)}</ul><h2>Method</h2><ol>${each(item.steps, (step) => `<li>${step}</li>`)}</ol>
<h2>Tips</h2><ul><li>Keeps for three days in a tin.</li><li>Freeze without the topping.</li></ul><p>Back to <a href="index.htm">all recipes</a></p></body></html>`,
  expected: (item) => ({
    name: item.name,
    servings: item.serves,
    prepTime: words(item.prep),
    totalTime: words(item.total),
    difficulty: item.level,
    ingredients: item.parts,
    method: item.steps,
    vegan: null,
  }),
});
