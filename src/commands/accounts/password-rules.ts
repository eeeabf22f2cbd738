// Rules for new passwords: length and a list of common ones. There are no rules for kinds of characters, which make passwords predictable.
import { Rejection } from '../../domain/errors.js';

const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 128;
/** Number of bytes that bcrypt reads: passwords that differ only after them would be equal. */
const MAX_BYTES = 72;

/** Rows of keyboards and of the alphabet, in both directions. */
const ROWS = ['01234567890', '1234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SEQUENCES = [...ROWS, 'qwertzuiop', 'azertyuiop'].flatMap((row) => [row, [...row].reverse().join('')]);
const MAX_REPEATED_UNIT = 4;

/** Throws {@link Rejection} that describes the problem. `email` is in its normal form. */
export function checkNewPassword(password: string, email: string): void {
  const characters = [...password].length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    throw invalid(`password must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`);
  }
  if (exceedsHashLength(password)) {
    throw invalid(
      `password must have at most ${MAX_BYTES} bytes in UTF-8; letters with accents and emoji take several`,
    );
  }
  if (password.includes('\u0000')) throw invalid('password must not contain the character U+0000');
  if (isGuessable(password.toLowerCase(), email)) {
    throw invalid('password is too easy to guess; choose another');
  }
}

/** Returns true for a password whose end the hash would ignore. */
export function exceedsHashLength(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > MAX_BYTES;
}

function isGuessable(password: string, email: string): boolean {
  if (commonPasswords.has(password) || password === email) return true;
  return isRepetition(password) || SEQUENCES.some((row) => isWithin(password, row));
}

/** Detects repetitions such as `aaaaaaaaaa`, `1212121212`, `abcabcabca`. */
function isRepetition(password: string): boolean {
  for (let unit = 1; unit <= MAX_REPEATED_UNIT; unit++) {
    if (password === password.slice(0, unit).repeat(password.length).slice(0, password.length)) return true;
  }
  return false;
}

/** Detects a sequence along the row that may start anywhere and wrap around, such as `5678901234`. */
function isWithin(password: string, row: string): boolean {
  return row.repeat(Math.ceil(password.length / row.length) + 1).includes(password);
}

function invalid(message: string): Rejection {
  return new Rejection('invalid', 'password-refused', message);
}

/**
 * Most common passwords of ten or more characters, in lower case. Longer lists exist; the login limits cover the rest. Stored as one text,
 * because one line per entry would be a file of a thousand lines.
 */
const text = `
  password12 password123 password1234 password12345 password1! password01 password11 password99 password00
  password123! password2020 password2021 password2022 password2023 password2024 password2025 password2026
  passwordpassword passw0rd12 passw0rd123 passw0rd1234 p@ssword12 p@ssword123 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1234
  p@ssw0rd1! pa55word12 pa55word123 pa$$word123 pa$$w0rd123 mypassword mypassword1 mypassword123 yourpassword
  thepassword newpassword newpassword1 newpassword123 oldpassword nopassword nopassword1 mypass1234 mypass12345
  testpassword userpassword adminpassword rootpassword defaultpassword temppassword temporary1 temporary123
  temppass123 secretpassword secret12345 secret1234 topsecret1 topsecret123 changeme12 changeme123 changeme1234
  changemenow changeit123 letmein123 letmein1234 letmein12345 letmeinnow letmeinplease welcome123 welcome1234
  welcome12345 welcome123! welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026
  welcomehome welcome@123 p@ssword2024 admin12345 admin123456 admin123456789 administrator administrator1 admin@1234
  admin@12345 adminadmin adminadmin1 admin12345678 root123456 rootroot12 rootroot123 superuser1 superuser123
  sysadmin123 superadmin superadmin1 guest12345 guestguest user123456 username12 username123 useruser12 test123456
  test1234567 test12345678 testtest12 testtest123 testtesttest testing123 testing1234 tester1234 test@12345 demo123456
  default123 example123 sample1234 qwerty1234 qwerty12345 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789
  qwertyuiop1 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyqwerty qwerty123! qwerty!@#$ qwertyuiopasdf
  qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwertzuiop1 qwerty2020 qwerty2024 qwe123qwe123 qweqweqwe1 qweasdzxc1
  qweasdzxc12 qweasdzxc123 qwe123asd456 qweasd123456 asdfghjkl1 asdfghjkl12 asdfghjkl123 asdfghjkl; asdfasdf12
  asdfasdf123 asdf123456 asdf1234567 asd123asd123 asdqwe1234 asdfjkl123 zxcvbnm123 zxcvbnm1234 zxcvbnm,./ zxcvbnm12345
  zaq12wsxcde3 zaq1xsw2cde3 zaq1zaq1zaq1 zaq12wsxcde34rfv 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qaz@wsx3edc
  !qaz2wsx3edc !qaz@wsx#edc qazwsxedc1 qazwsxedc12 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazwsx1234 qazwsx12345
  qazwsx123456 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p
  q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 1qw23er45ty6 12qwaszxcv 123qweasdzxc 123qweasd123 123qwe123qwe 1234qwerasdf
  1234qwerty 12345qwert 12345qwerty 123456qwerty 1234567qwe qwerty7890 a1s2d3f4g5 a1s2d3f4g5h6 z1x2c3v4b5 poiuytrewq1
  mnbvcxz123 lkjhgfdsa1 123456789a 1234567890a 1234567891 12345678910 123456789123 1234567891011 1234567890123
  123456789q 123456789m 123456789z 123456789s 123456789abc 123456789qwe 123456abcd 123456abcdef 12345abcde
  1234abcd1234 1234512345 12345123451 1234567812345678 123456123456 123123123a 123321123321 1233211233 1234554321
  123454321a 12345678987654321 0987654321a 0123456789a 9876543210a 98765432101 1122334455 112233445566 11223344556677
  1112223334 111222333444 111222333a 1111122222 1111111112 1111111111a 0000000001 0000011111 5555555556 1010101010a
  1212121212a 1231231234 1230984567 147258369a 1472583690 14725836900 147852369a 1478523690 159357159357 1593572486
  1597534682 159753456852 3216549870 321654987a 7894561230 78945612300 789456123a 9638527410 963852741a 7418529630
  741852963a 8520147963 2580258025 3141592653 3141592654 31415926535 2718281828 1123581321 9999999990 1002003004
  123abc456def 1a2b3c4d5e 1a2b3c4d5e6f a1b2c3d4e5 a1b2c3d4e5f6 abc123abc123 abc1234567 abc12345678 abc123456789
  abcd123456 abcd1234567 abcd12345678 abcde12345 abcde123456 abcdef1234 abcdef12345 abcdef123456 abcdefg123
  abcdefg1234 abcdefgh12 abcdefgh1234 abcdefghij1 aaaaaaaaa1 aaaaaaaa11 a123456789 a1234567890 a12345678a aa12345678
  aa123456789 aa11bb22cc33 q123456789 s123456789 z123456789 m123456789 w123456789 x123456789 zz12345678 qq123456789
  as123456789 iloveyou12 iloveyou123 iloveyou1234 iloveyou12345 iloveyou11 iloveyou22 iloveyou1! iloveyou2! iloveyouso
  iloveyoumore iloveyousomuch iloveyoubaby iloveyouforever iloveyou4ever iloveyou3000 iloveyou143 iloveyoutoo
  iloveyoubabe ilovejesus iloveyou69 ilovemymom ilovemymum ilovemyself ilovemyfamily ilovemylife ilovemydog ilovemycat
  iloveme123 ilovegod123 ilovemusic ilovemusic1 ilovefootball ilovepizza lovelove12 lovelove123 loveforever loveyou123
  loveyou1234 loverboy123 lovergirl1 lovely1234 lovely12345 mylove1234 mylove12345 myloveforever truelove123
  trueloves1 foreverlove forever123 forever1234 together123 sweetheart sweetheart1 sweetheart123 beautiful1
  beautiful12 beautiful123 gorgeous123 handsome123 princess12 princess123 princess1234 princess12345 prince12345
  queen12345 babygirl12 babygirl123 babygirl1234 babyboy123 babyboy1234 baby123456 angel12345 angel123456 angels1234
  blessed123 jesuschrist jesuschrist1 jesus12345 jesusloves jesuslovesme jesusislord jesussaves godisgood1
  godisgood123 godisgreat godisgreat1 godbless123 thankyougod trustinggod trustno1234 trustno1trustno1 hallelujah
  christian1 christian123 christmas1 christmas123 halloween1 birthday123 happybirthday happy12345 happyhappy
  happyface1 happiness1 smile12345 sunshine12 sunshine123 sunshine1234 sunshine1! sunflower1 sunflower12 sunflower123
  butterfly1 butterfly12 butterfly123 butterflies strawberry strawberry1 watermelon watermelon1 blueberry1 raspberry1
  blackberry blackberry1 pineapple1 pineapple123 chocolate1 chocolate12 chocolate123 cheesecake cheeseburger
  cookie1234 cupcake123 bubblegum1 bubblegum123 peanutbutter icecream123 marshmallow football12 football123
  football1234 basketball basketball1 basketball12 basketball123 baseball12 baseball123 baseball1234 volleyball
  volleyball1 softball123 hockey1234 soccer1234 soccer12345 swimming123 skateboard snowboard1 snowboarding cheerleader
  cheerleader1 gymnastics gymnastics1 wrestling1 liverpool1 liverpool12 liverpool123 liverpoolfc manchester
  manchester1 manchester123 manchesterunited manutd1234 chelsea123 chelsea1234 chelsea12345 chelseafc1 arsenal123
  arsenal1234 arsenal12345 barcelona1 barcelona10 barcelona123 realmadrid realmadrid1 realmadrid123 juventus123
  galatasaray fenerbahce fenerbahce1907 besiktas1903 newcastle1 everton123 rangers123 celtic1888 celtic1967
  steelers123 cowboys123 yankees123 lakers1234 warriors123 superman12 superman123 superman1234 batman1234 batman12345
  spiderman1 spiderman12 spiderman123 ironman123 wolverine1 deadpool123 starwars12 starwars123 starwars1234
  startrek123 darthvader darthvader1 skywalker1 skywalker123 harrypotter harrypotter1 harrypotter123 hogwarts123
  gryffindor slytherin1 hufflepuff pokemon123 pokemon1234 pokemon12345 pikachu123 pikachu1234 charizard1 naruto1234
  naruto12345 dragonball dragonball1 dragonballz dragonballz1 dragon1234 dragon12345 dragon123456 minecraft1
  minecraft12 minecraft123 minecraft1234 fortnite123 roblox1234 callofduty callofduty1 counterstrike worldofwarcraft
  warcraft123 starcraft1 leagueoflegends nintendo123 playstation playstation2 playstation3 playstation4 playstation5
  xbox360xbox finalfantasy finalfantasy7 assassin123 terminator terminator1 transformers transformers1 gameofthrones
  winteriscoming lordoftherings mickeymouse mickeymouse1 hellokitty hellokitty1 hellokitty123 tinkerbell tinkerbell1
  spongebob1 spongebob12 spongebob123 scoobydoo1 scoobydoo2 southpark1 metallica1 metallica123 slipknot123 slipknot666
  linkinpark linkinpark1 greenday123 nirvana1234 eminem1234 evanescence mychemicalromance guitar1234 guitarhero
  rocknroll1 rockandroll michael123 michael1234 michaeljackson jordan1234 jordan12345 michelle12 michelle123
  jennifer12 jennifer123 jessica123 jessica1234 ashley1234 ashley12345 amanda1234 daniel1234 daniel12345 andrew1234
  anthony123 anthony1234 charlie123 charlie1234 matthew123 jonathan12 jonathan123 joshua1234 alexander1 alexander12
  alexander123 alexandra1 alexandra123 elizabeth1 elizabeth12 elizabeth123 stephanie1 stephanie12 stephanie123
  christopher christopher1 christina1 christine1 christian12 sebastian1 sebastian123 gabriel123 gabriela123
  nicholas123 benjamin123 samantha12 samantha123 isabella123 valentina1 valentine1 katherine1 catherine1 margaret123
  patricia123 fernando123 francisco1 francisco123 cristiano7 cristianoronaldo ronaldo123 ronaldo777 ronaldinho
  ronaldinho10 messi12345 lionelmessi mohammed123 mohammad123 muhammad123 muhammad1234 abdullah123 alejandro1
  alejandro123 alejandra1 guadalupe1 esperanza1 rodriguez1 hernandez1 gonzalez123 robert1234 william123 william1234
  thomas1234 george1234 hannah1234 nicole1234 nicole12345 victoria12 victoria123 veronica123 vanessa123 natalie123
  maverick123 mercedes123 mercedesbenz ferrari123 ferrari458 lamborghini lamborghini1 corvette123 mustang123
  mustang1967 chevrolet1 chevrolet123 porsche911 porsche911turbo harley1234 harleydavidson motorcycle motorcycle1
  kawasaki123 yamaha1234 suzuki1234 subaru1234 volkswagen volkswagen1 computer12 computer123 computer1234 computer1!
  internet12 internet123 internet1234 microsoft1 microsoft123 windows123 windows1234 google1234 google12345
  googlegoogle facebook12 facebook123 facebook1234 instagram1 instagram123 whatsapp123 youtube123 snapchat123
  linkedin123 linkedin1234 samsung123 samsung1234 samsung12345 iphone1234 iphone12345 android123 blackberry123
  nokia12345 nokia123456 master1234 master12345 masterkey1 mastermind1 hacker1234 hacker12345 hackerman1 security123
  security1! access1234 access12345 accessdenied letmein2024 server1234 network123 database123 business123 company123
  company1234 office1234 office12345 school1234 school12345 university student123 student1234 teacher123 teacher1234
  graduation manager123 engineer123 developer1 developer123 programmer programmer1 production production1 whatever12
  whatever123 whatever1234 something1 something123 nothing123 nothing1234 everything everything1 anything123
  everyone123 nevermind1 nevermind123 remember123 rememberme rememberme1 dontforget dontforget1 forgetmenot donotenter
  opensesame opensesame1 hello12345 hello123456 hello1234567 hellohello hellohello1 helloworld helloworld1
  helloworld123 hello@1234 goodmorning goodmorning1 goodluck123 goodbye123 freedom123 freedom1234 freedom12345
  liberty123 america123 america1234 american123 australia1 australia123 argentina1 argentina123 brazil2014 california
  california1 california123 newyork123 newyorkcity newyorknewyork washington washington1 london1234 london2012
  scotland123 england123 england1966 germany123 pakistan123 pakistan1947 bangladesh bangladesh1 indonesia1
  indonesia123 philippines philippines1 singapore1 singapore123 kathmandu1 istanbul34 istanbul123 monkey1234
  monkey12345 monkey123456 shadow1234 shadow12345 tigger1234 tiger12345 tiger123456 lion123456 dolphin123 dolphins123
  panther123 elephant12 elephant123 eagle12345 falcon1234 phoenix123 phoenix1234 unicorn123 unicorn1234 kitten1234
  puppies123 puppylove1 scooter123 buddy12345 buddy123456 ginger1234 pepper1234 pepper12345 cheese1234 coffee1234
  orange1234 orange12345 purple1234 purple12345 yellow1234 silver1234 golden1234 diamond123 diamond1234 rainbow123
  rainbow1234 rainbows123 summer1234 summer12345 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025
  summer2026 summertime summertime1 winter1234 winter12345 winter2020 winter2021 winter2022 winter2023 winter2024
  winter2025 winter2026 spring2020 spring2021 spring2022 spring2023 spring2024 spring2025 spring2026 autumn2020
  autumn2021 autumn2022 autumn2023 autumn2024 autumn2025 autumn2026 january2024 january2025 january2026 february123
  september1 september11 september123 november11 november123 december25 december123 october123 october1234 august1234
  monday1234 friday1234 saturday123 midnight12 midnight123 moonlight1 moonlight123 starlight1 thunder123 thunder1234
  lightning1 lightning123 hurricane1 hurricane123 fireball123 firefighter wonderful1 wonderland wonderland1 fantastic1
  awesome123 awesome1234 amazing123 brilliant1 champion12 champion123 champions1 winner1234 warrior123 warrior1234
  gangster12 gangster123 gangsta123 playboy123 playboy1234 bigdaddy123 sexybitch1 sexygirl12 sexygirl123 sexymama12
  sexymama123 hotmail123 hotmail1234 yahoo12345 gmail12345 gmail123456 fuckyou123 fuckyou1234 fuckyou12345 fuckyou123!
  fuckoff123 fuckoff1234 asshole123 asshole1234 bullshit12 bullshit123 motherfucker motherfucker1 mommy12345
  mother1234 father1234 daddy12345 daddysgirl daddysgirl1 family1234 family12345 familyfirst bestfriend bestfriend1
  bestfriends bestfriends1 friends123 friends1234 friendship friendship1 friendsforever brother123 sister1234
  grandma123 grandpa123 correcthorsebatterystaple thisismypassword thisisapassword iforgotmypassword ihatepasswords
  password-123 password_123 password.123 password@123 password#123 password1234! test-password abcd@12345 abcd1234!@#$
  abc@123456 qwerty@123 india@1234 india@12345 pass@12345 pass@word1 pass@1234567 pass123456 pass1234567 pass12345678
  pass123456789 passpass12 passpass123 passport12 passport123 passphrase passphrase1 killer1234 killer12345
  naruto123456 0123456789 9876543210 0987654321 1234567890 qwertyuiop asdfghjkl123456 zxcvbnm123456 !@#$%^&*()
  !@#$%^&*()_+ 1!2@3#4$5% 1qaz!qaz2wsx@wsx
`;

export const commonPasswords: ReadonlySet<string> = new Set(text.trim().split(/\s+/));
