// Pages with questions that only measure: nothing is set on them.
import type { QuestionedPage } from './questioned-page.ts';

export const heldOutQuestions: readonly QuestionedPage[] = [
  {
    title: 'Renting the village hall',
    markdown: `# Renting the village hall

Our hall holds up to 120 people seated, or 180 standing. It has a stage, a kitchen with two ovens, and a garden that can be used until ten in the evening.

**Hire charges**

- Residents: £15 an hour
- Everybody else: £22 an hour
- Whole weekend: £350

A deposit of £100 is due when you book. You get it back if the hall is left clean.

### How do I book?

Ring Margaret Lowe on 01632 960111, or look at the [calendar](/calendar) and fill in the form.

### Is the hall licensed for alcohol?

You may bring your own drinks. To sell alcohol you need a temporary event notice from the district council.

The key is kept in a safe by the back door. You will get the code by text message on the day before.`,
    answered: [
      ['How many people fit into the hall when seated?', '120 people'],
      ['How much is the deposit?', '£100'],
      ['What do residents pay per hour?', 'Residents: £15'],
      ['Until when may the garden be used?', 'ten in the evening'],
      ['Whom do I ring to book the hall?', 'Margaret Lowe'],
      ['What do I need in order to sell alcohol?', 'temporary event notice'],
      ['Where is the key kept?', 'safe by the back door'],
      ['How many ovens are in the kitchen?', 'two ovens'],
    ],
    paraphrased: [
      ['What is the maximum number of people who can stand?', '180 standing'],
      ['How much money do I leave as a deposit?', '£100'],
      ['What does it cost to rent it for a weekend?', 'Whole weekend'],
      ['How do I get the code for the door?', 'text message'],
      ['Who takes bookings?', 'Margaret Lowe'],
    ],
    unanswered: [
      'Is there wireless internet in the hall?',
      'When was the hall built?',
      'Are bouncy castles allowed?',
      'Is there a piano?',
      'Who is the chair of the committee?',
    ],
  },
  {
    title: 'Storm Ida closes the coast road',
    markdown: `# Storm Ida closes the coast road

The coast road between Tarn and Whitby Sands has been closed since Monday evening, when waves broke through the sea wall at Gannet Point. Engineers say that repairs will last until the middle of March at least.

Nobody was hurt. A camper van that had been parked behind the wall was washed away; its owners were in a pub nearby. The fire service pumped out nineteen cellars.

Gusts reached 141 kilometres an hour, the highest figure since measurements began at the station in 1953. Around 3,000 households had no electricity on Tuesday morning. By noon, the network operator had reconnected all but 200 of them.

The county estimates the damage at 6 million pounds. Its road fund holds less than half of that. County leader Alan Frith asked the government for help.

Drivers are diverted over the moor. The detour adds 25 minutes. Lorries of more than 18 tonnes must use the motorway.`,
    answered: [
      ['Since when has the road been closed?', 'since Monday evening'],
      ['How long will the repairs last?', 'middle of March'],
      ['Was anyone hurt?', 'Nobody was hurt'],
      ['How strong were the gusts?', '141 kilometres an hour'],
      ['How many households had no electricity?', '3,000 households'],
      ['How high is the damage?', '6 million pounds'],
      ['How much time does the detour add?', '25 minutes'],
      ['Which lorries must use the motorway?', '18 tonnes'],
      ['Who asked the government for help?', 'Alan Frith'],
    ],
    paraphrased: [
      ['How fast was the wind in the gusts?', '141 kilometres'],
      ['How many cellars were flooded?', 'nineteen cellars'],
      ['Where did the sea wall break?', 'Gannet Point'],
      ['How long does the diversion take?', '25 minutes'],
      ['What was washed away by the water?', 'camper van'],
    ],
    unanswered: [
      'What did the government reply?',
      'How high were the waves?',
      'Are trains running along the coast?',
      'When will the next storm come?',
      'How many houses lost their roof?',
    ],
  },
  {
    title: 'tide(1) - print tide tables',
    markdown: `# tide

Prints tide tables for a port.

## Usage

\`\`\`
tide [--days N] [--json] PORT
\`\`\`

## Options

| Option | Meaning | Default |
| --- | --- | --- |
| \`--days N\` | Number of days to print | 7 |
| \`--json\` | Print JSON instead of a table | off |
| \`--datum NAME\` | Reference level: \`msl\` or \`lat\` | \`lat\` |
| \`--cache DIR\` | Where harmonics are stored | \`~/.cache/tide\` |

## Exit status

- 0: success
- 1: the port is unknown
- 2: the harmonics could not be downloaded

## Files

The configuration is read from \`~/.config/tide.toml\`.

Predictions are computed on your machine, from 37 harmonic constituents. They are accurate to about ten minutes in time and 0.2 metres in height. Do not use them for navigation.`,
    answered: [
      ['How many days are printed by default?', 'Number of days to print'],
      ['How can I get JSON output?', '--json'],
      ['What does exit status 2 mean?', 'could not be downloaded'],
      ['Where is the configuration file?', '~/.config/tide.toml'],
      ['How accurate are the predictions?', 'ten minutes in time'],
      ['May I use it for navigation?', 'Do not use them for navigation'],
      ['How many harmonic constituents are used?', '37 harmonic constituents'],
    ],
    paraphrased: [
      ['What does the program return if the port does not exist?', 'the port is unknown'],
      ['How precise is the height?', '0.2 metres'],
      ['Which file has my settings, the configuration?', '~/.config/tide.toml'],
    ],
    unanswered: [
      'In which programming language is tide written?',
      'How do I install it on macOS?',
      'Does it show sunrise and sunset?',
      'Who is the author?',
      'Can it draw a graph?',
    ],
  },
  {
    title: 'Kita Regenbogen: Anmeldung',
    markdown: `# Anmeldung

Unsere Kita hat 68 Plätze in vier Gruppen. Wir nehmen Kinder ab dem ersten Geburtstag auf.

Die Betreuung beginnt um 7 Uhr und endet um 16.30 Uhr, freitags schon um 15 Uhr. In den Sommerferien schließen wir drei Wochen.

Anmelden können Sie Ihr Kind bis zum 15. Februar für das Kindergartenjahr, das im August beginnt. Bitte bringen Sie die Geburtsurkunde und den Impfausweis mit.

## Kosten

Der Beitrag richtet sich nach dem Einkommen und wird vom Jugendamt festgelegt. Für das Mittagessen berechnen wir 72 Euro im Monat.

## Ansprechpartnerin

Die Leiterin, Frau Yıldız, erreichen Sie unter 0251 000 44 55, am besten zwischen 9 und 11 Uhr.`,
    answered: [
      ['Wie viele Plätze hat die Kita?', '68 Plätze'],
      ['Ab welchem Alter werden Kinder aufgenommen?', 'ersten Geburtstag'],
      ['Bis wann muss ich mein Kind anmelden?', '15. Februar'],
      ['Was kostet das Mittagessen?', '72 Euro'],
      ['Wie heißt die Leiterin?', 'Yıldız'],
      ['Wie lange schließt die Kita in den Sommerferien?', 'drei Wochen'],
    ],
    paraphrased: [
      ['Wann endet die Betreuung am Freitag?', 'freitags'],
      ['Welche Unterlagen soll ich mitbringen?', 'Geburtsurkunde'],
      ['Wer legt den Beitrag fest?', 'Jugendamt'],
    ],
    unanswered: [
      'Gibt es einen Garten?',
      'Wird vegetarisch gekocht?',
      'Wie groß ist der Spielplatz?',
      'Welches pädagogische Konzept verfolgt die Einrichtung?',
      'Kann man mit dem Bus anreisen?',
    ],
  },
  {
    title: 'Frequently asked questions - Solar on your roof',
    markdown: `# Frequently asked questions

## How much does a system cost?

A typical system with ten modules costs between 7,000 and 9,000 euros, installed.

## How long do the modules last?

Manufacturers guarantee 80 percent of the output after 25 years. Inverters last about twelve years and cost around 1,200 euros to replace.

## Do I need planning permission?

Not for ordinary roofs. Listed buildings need the consent of the heritage office.

## What happens in winter?

From November to January, a system yields only a tenth of its annual output. Snow slides off roofs steeper than 30 degrees.

## Can I add a battery later?

Yes, if the inverter is a hybrid one. We fit those by default since 2023.

We work within 60 kilometres of Linz. Ask for an offer at office@sonnendach.example.`,
    answered: [
      ['What does a typical system with ten modules cost?', 'between 7,000 and 9,000 euros'],
      ['How long do inverters last?', 'about twelve years'],
      ['Do listed buildings need consent?', 'heritage office'],
      ['Can a battery be added later?', 'hybrid one'],
      ['How much output does a system yield in winter?', 'a tenth of its annual output'],
      ['In which area do you work?', '60 kilometres of Linz'],
      ['Where can I ask for an offer?', 'office@sonnendach.example'],
    ],
    paraphrased: [
      ['What is the price of replacing an inverter?', '1,200 euros'],
      ['After how many years is 80 percent still guaranteed?', '25 years'],
      ['How steep must a roof be so that snow falls off?', '30 degrees'],
    ],
    unanswered: [
      'Is there a subsidy from the state?',
      'Which brand of modules do you use?',
      'Do you also install heat pumps?',
      'How do I clean the modules?',
      'Can I pay in instalments?',
    ],
  },
  {
    title: '社区食堂用餐须知',
    markdown: `# 社区食堂用餐须知

社区食堂每天供应午餐和晚餐。午餐时间为上午十一点到下午一点，晚餐时间为下午五点到六点半。

## 价格

一份两荤两素的套餐十二元。七十岁以上的老人享受八折优惠。

## 送餐

行动不便的老人可以申请送餐上门，不另收费。请提前一天拨打电话 0571-0000-1234 预订。

## 付款

可以使用现金、社保卡或手机付款。`,
    answered: [
      ['午餐时间是几点', '上午十一点到下午一点'],
      ['一份套餐多少钱', '十二元'],
      ['送餐怎么预订', '提前一天拨打电话'],
      ['老人有什么优惠', '八折优惠'],
      ['可以怎么付款', '社保卡或手机付款'],
    ],
    unanswered: ['食堂有多少座位', '周末有早餐吗', '食堂的经理是谁'],
  },
  {
    title: 'Huerto escolar - Colegio La Vega',
    markdown: `# El huerto del colegio

El huerto nació en 2016 detrás del gimnasio, en un terreno de 400 metros cuadrados que nadie usaba. Hoy lo cuidan los alumnos de cuarto y quinto con ayuda de doce familias.

Cada clase tiene su bancal. Se riega por goteo dos veces al día con agua de lluvia, que se recoge en un depósito de 5.000 litros.

Las verduras se venden el último viernes de mes a la salida de clase. Con el dinero se pagan semillas y la excursión de junio.

Quien quiera colaborar puede escribir a Rosa Ibáñez, huerto@lavega.example.`,
    answered: [
      ['¿En qué año nació el huerto?', '2016'],
      ['¿Cuándo se venden las verduras?', 'último viernes de mes'],
      ['¿Cuántas veces al día se riega?', 'dos veces al día'],
      ['¿Qué se paga con el dinero?', 'semillas y la excursión'],
      ['¿A quién hay que escribir para colaborar?', 'Rosa Ibáñez'],
    ],
    paraphrased: [
      ['¿Qué tamaño tiene el terreno?', '400 metros'],
      ['¿Cuántas familias ayudan?', 'doce familias'],
    ],
    unanswered: [
      '¿Hay gallinas en el colegio?',
      '¿Quién es la directora?',
      '¿Cuántos alumnos tiene el colegio?',
      '¿Se usan pesticidas?',
    ],
  },
  {
    title: 'Data retention policy',
    markdown: `# Data retention policy

This policy says how long we keep records and why. It applies to all offices and was last revised on 4 February 2026.

1. Invoices and contracts are kept for ten years, as tax law demands.
2. Applications of candidates whom we do not hire are deleted after six months.
3. Log files of the web servers are deleted after fourteen days.
4. Recordings of the cameras at the entrance are overwritten after 72 hours.

Backups are encrypted and stored in two places. They are destroyed after ninety days.

Requests for access or deletion are answered by the data protection officer, Dr. Naomi Stern, within one month. Write to privacy@holm.example.

Employees who find that a rule cannot be followed must report this to their manager. Exceptions are approved by the board and documented.`,
    answered: [
      ['How long are invoices kept?', 'ten years'],
      ['When are log files deleted?', 'fourteen days'],
      ['When was the policy last revised?', '4 February 2026'],
      ['Who is the data protection officer?', 'Naomi Stern'],
      ['After how many hours are camera recordings overwritten?', '72 hours'],
      ['Who approves exceptions?', 'approved by the board'],
      ['How long do backups exist?', 'ninety days'],
    ],
    paraphrased: [
      ['How quickly does the officer reply to requests?', 'within one month'],
      ['What happens to candidates who were rejected, how long are their applications stored?', 'six months'],
      ['Where do I write if I want my data?', 'privacy@holm.example'],
    ],
    unanswered: [
      'In which country are the backups stored?',
      'How long are medical records kept?',
      'What is the fine for a violation?',
      'Which encryption algorithm is used?',
      'Does the policy apply to contractors?',
    ],
  },
];
