/* The same Hearts games as hearts-sim, in C: the yardstick of docs/performance.md.
 *
 * Standard rules, four equal bots (random or ducker), whole games to 100 with passing. Bitboards (a card is
 * 4 * rank + suit), no function pointers: each bot is compiled into its own copy of the game. The random streams are
 * those of docs/design.md, so the games are the same card for card.
 *
 * What makes it fast: which card is legal, which is chosen and who wins are selected without branches, because no
 * processor can predict them; a seat with one legal card is not a special case; the hands of the first three seats
 * are drawn side by side instead of one after another.
 *
 * Build: cc -O3 -march=native -fno-tree-vectorize -fno-tree-slp-vectorize -o yardstick yardstick.c
 *        (GCC's vectors reload what was just stored in halves, which stalls: 10 % slower with four duckers)
 * Use:   yardstick random|ducker SEED FIRST_GAME N_GAMES [N_REPEATS]
 *
 * Prints a line of JSON for each repeat. The checksum is the sum over games, modulo 2**64, of a hash that starts as
 * mix(game) and becomes mix(hash + row) at each deal, where row holds, from the highest byte to the lowest, the
 * deal's number in the game and the points of seats 0 to 3, and mix is SplitMix64's output function.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__BMI2__) || defined(__LZCNT__)
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef unsigned __int128 u128;

#define CLUBS 0x1111111111111ULL
#define HEARTS (CLUBS << 3)
#define QUEEN (1ULL << (4 * 10 + 2))
#define DECK ((1ULL << 52) - 1)
#define TWO_OF_CLUBS 1ULL
#define WEYL_0 0x9E3779B97F4A7C15ULL
#define WEYL_1 0xBB67AE8584CAA73BULL

#define INLINE static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline, cold))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { RANDOM, DUCKER };

/* Cards. */

/* Return some if condition is not 0, else others; never as a branch. */
INLINE u64 select_if(u64 condition, u64 some, u64 others) {
#if defined(__x86_64__)
    __asm__("test %1, %1\n\tcmovz %2, %0" : "+r"(some) : "r"(condition), "r"(others) : "cc");
    return some;
#else
    return condition ? some : others;
#endif
}

INLINE u64 any_of(u64 preferred, u64 others) { return select_if(preferred, preferred, others); }
/* The highest card of an empty set is asked for and then not used, so that must be defined, if not what it is. */
INLINE u64 leading_zeros(u64 cards) {
#ifdef __LZCNT__
    return _lzcnt_u64(cards);
#else
    return (u64)__builtin_clzll(cards | 1);
#endif
}

INLINE u64 lowest(u64 cards) { return cards & -cards; }
INLINE u64 highest(u64 cards) { return 1ULL << 63 >> (leading_zeros(cards) & 63); }
INLINE u64 suit_of(u64 card) { return CLUBS << (__builtin_ctzll(card) & 3); }
INLINE u64 count(u64 cards) { return (u64)__builtin_popcountll(cards); }

/* Return the cards of a set at the places, counted from its lowest card, that are set in places. */
INLINE u64 cards_at(u64 places, u64 cards) {
#ifdef __BMI2__
    return _pdep_u64(places, cards);
#else
    u64 found = 0;
    for (; cards; cards &= cards - 1, places >>= 1)
        if (places & 1) found |= lowest(cards);
    return found;
#endif
}

INLINE u64 nth_card(u64 cards, u64 n) {
#ifdef __BMI2__
    return _pdep_u64(1ULL << n, cards);
#else
    while (n--) cards &= cards - 1;
    return lowest(cards);
#endif
}

/* Random streams. */

INLINE u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

INLINE void philox(u64 seed, u64 purpose, u64 block, u64 deal, u64 game, u64 words[4]) {
    u64 c0 = block, c1 = deal, c2 = game, c3 = 0, k0 = seed, k1 = purpose;
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++) {
        u128 p0 = (u128)0xD2E7470EE14C6C93ULL * c0, p1 = (u128)0xCA5A826395121157ULL * c2;
        c0 = (u64)(p1 >> 64) ^ (c1 ^ k0);
        c1 = (u64)p1;
        c2 = (u64)(p0 >> 64) ^ (c3 ^ k1);
        c3 = (u64)p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

/* Draw below n again after a rejected word; draws counts the words used. */
RARE u64 draw_again(u64 start, u64 draws, u64 n) {
    for (;;) {
        u64 word = mix(start + ++draws * WEYL_0);
        if (word * n >= -n % n) return (u64)((u128)word * n >> 64);
    }
}

/* Return a number below n from the word that the stream gave as its draws-th. */
INLINE u64 scale(u64 word, u64 n, u64 start, u64 draws) {
    u128 product = (u128)word * n;
    u64 low = (u64)product;
    return UNLIKELY(low < n && low < -n % n) ? draw_again(start, draws, n) : (u64)(product >> 64);
}

/* Dealing. */

#define FIVE(n) ((u64)(n) * ((n)-1) * ((n)-2) * ((n)-3) * ((n)-4))
#define TEN(n) (FIVE(n) * FIVE((n)-5))
#define GROUP_OF(draw) ((draw) < 10 ? 0 : (draw) < 20 ? 1 : (draw) < 31 ? 2 : 3)

/* One word serves a group of draws with bounds 52, 51, ...; these are the groups' products. */
static const u64 PRODUCTS[4] = {TEN(52), TEN(42), TEN(32) * 22, FIVE(21) * 16 * 15 * 14};

RARE void skip_rejected(u64 seed, u64 game, u64 deal, u64 groups[4]) {
    u64 words[4];
    int used = 0;
    for (int group = 0; group < 4; group++) {
        do {
            if ((used & 3) == 0) philox(seed, 1, (u64)used >> 2, deal, game, words);
            groups[group] = words[used++ & 3];
        } while (groups[group] * PRODUCTS[group] < -PRODUCTS[group] % PRODUCTS[group]);
    }
}

INLINE void deal_hands(u64 seed, u64 game, u64 deal, u64 hands[4]) {
    u64 words[4], drawn[39];
    int suspect = 0;
    philox(seed, 1, 0, deal, game, words);
    for (int group = 0; group < 4; group++) suspect |= words[group] * PRODUCTS[group] < PRODUCTS[group];
    if (UNLIKELY(suspect)) skip_rejected(seed, game, deal, words);
#pragma GCC unroll 39
    for (int i = 0; i < 39; i++) {
        u128 product = (u128)words[GROUP_OF(i)] * (u64)(52 - i);
        drawn[i] = (u64)(product >> 64);
        words[GROUP_OF(i)] = (u64)product;
    }
    /* Each seat draws places among the cards that the seats before it left, whichever these are. */
    u64 left_0 = DECK, left_1 = (1ULL << 39) - 1, left_2 = (1ULL << 26) - 1;
#pragma GCC unroll 13
    for (int i = 0; i < 13; i++) {
        left_0 ^= nth_card(left_0, drawn[i]);
        left_1 ^= nth_card(left_1, drawn[13 + i]);
        left_2 ^= nth_card(left_2, drawn[26 + i]);
    }
    left_1 = cards_at(left_1, left_0);
    left_2 = cards_at(left_2, left_1);
    hands[0] = DECK ^ left_0;
    hands[1] = left_0 ^ left_1;
    hands[2] = left_1 ^ left_2;
    hands[3] = left_2;
}

/* The bots. */

INLINE u64 pass_random(u64 hand, u64 start) {
    u64 left = hand, draws = 0;
#pragma GCC unroll 3
    for (u64 n = 13; n > 10; n--) {
        u64 low, word;
        do {
            word = mix(start + ++draws * WEYL_0);
            low = word * n;
        } while (UNLIKELY(low < n && low < -n % n));
        left ^= nth_card(left, (u64)((u128)word * n >> 64));
    }
    return hand ^ left;
}

INLINE u64 pass_ducker(u64 hand) {
    u64 left = hand;
    for (int i = 0; i < 3; i++) left ^= highest(left);
    return hand ^ left;
}

INLINE u64 pick_random(u64 legal, u64 word, u64 start, u64 draws) {
    return nth_card(legal, scale(word, count(legal), start, draws));
}

INLINE u64 follow_ducker(u64 same, u64 others, u64 best) {
    u64 losing = same & (best - 1);
    u64 followed = select_if(losing, highest(losing), lowest(same));
    u64 thrown = select_if(others & QUEEN, QUEEN, highest(any_of(others & HEARTS, others)));
    return select_if(same, followed, thrown);
}

/* A deal. */

typedef struct {
    u64 hands[4], taken[4], starts[4], unbroken_barred;
    int leader;
} table_t;

/* Play one trick; trick is 1 to 13. A choice from a single card needs no word but does not care for one either. */
INLINE void play_trick(int bot, table_t *t, u64 trick) {
    u64 words[4], draws = (trick << 32) + 1, card = TWO_OF_CLUBS;
    int leader = t->leader, winner = leader;
    if (bot == RANDOM)
        for (int seat = 0; seat < 4; seat++) words[seat] = mix(t->starts[seat] + draws * WEYL_0);
    if (trick > 1) {
        u64 hand = t->hands[leader], legal = any_of(hand & ~t->unbroken_barred, hand);
        card = bot == RANDOM ? pick_random(legal, words[leader], t->starts[leader], draws) : lowest(legal);
    }
    t->hands[leader] ^= card;
    u64 led = suit_of(card), cards = card, best = card;
#pragma GCC unroll 3
    for (int turn = 1; turn < 4; turn++) {
        int seat = (leader + turn) & 3;
        u64 hand = t->hands[seat], same = hand & led, others = hand;
        if (trick == 1) others = any_of(hand & ~(HEARTS | QUEEN), hand);
        if (bot == RANDOM) {
            card = pick_random(any_of(same, others), words[seat], t->starts[seat], draws);
            u64 following = card & led;
            winner = following > best ? seat : winner;
            best = following > best ? following : best;
        } else {
            card = follow_ducker(same, others, best);
            u64 taking = select_if(same & (best - 1), 0, lowest(same));
            winner = (int)select_if(taking, (u64)seat, (u64)winner);
            best = any_of(taking, best);
        }
        t->hands[seat] = hand ^ card;
        cards |= card;
    }
    t->taken[winner] |= cards;
    t->unbroken_barred = cards & HEARTS ? 0 : t->unbroken_barred;
    t->leader = winner;
}

typedef struct {
    u64 number, deal, hash, seat_words[4];
    int scores[4];
} game_t;

INLINE void start_deal(int bot, const game_t *game, table_t *t, u64 seed) {
    static const int offsets[4] = {0, 1, 3, 2};
    int offset = offsets[game->deal & 3];
    u64 passed[4];
    deal_hands(seed, game->number, game->deal, t->hands);
    if (bot == RANDOM)
        for (int seat = 0; seat < 4; seat++)
            t->starts[seat] = mix(mix(game->seat_words[seat] + game->deal * WEYL_0));
    if (offset) {
        for (int seat = 0; seat < 4; seat++)
            passed[seat] = bot == RANDOM ? pass_random(t->hands[seat], t->starts[seat]) : pass_ducker(t->hands[seat]);
        for (int seat = 0; seat < 4; seat++) t->hands[seat] ^= passed[seat] | passed[(seat - offset) & 3];
    }
    t->leader = 0;
    for (int seat = 0; seat < 4; seat++) {
        t->leader = t->hands[seat] & TWO_OF_CLUBS ? seat : t->leader;
        t->taken[seat] = 0;
    }
    t->unbroken_barred = HEARTS;
}

/* Score the deal; return whether the game is over. */
INLINE int finish_deal(game_t *game, const table_t *t) {
    int points[4], most = 0, shot = 0;
    u64 row = game->deal;
    for (int seat = 0; seat < 4; seat++) {
        points[seat] = (int)count(t->taken[seat] & HEARTS) + (t->taken[seat] & QUEEN ? 13 : 0);
        shot |= points[seat] == 26;
    }
    if (UNLIKELY(shot))
        for (int seat = 0; seat < 4; seat++) points[seat] = 26 - points[seat];
    for (int seat = 0; seat < 4; seat++) {
        game->scores[seat] += points[seat];
        most = game->scores[seat] > most ? game->scores[seat] : most;
        row = row << 8 | (u64)points[seat];
    }
    game->hash = mix(game->hash + row);
    return most >= 100;
}

INLINE u64 play_games(int bot, u64 seed, u64 first_game, u64 n_games, u64 *n_deals) {
    u64 checksum = 0;
    table_t table;
    memset(&table, 0, sizeof table);
    for (u64 number = first_game; number < first_game + n_games; number++) {
        game_t game = {number, 0, mix(number), {0}, {0}};
        if (bot == RANDOM) philox(seed, 2, 0, 0, number, game.seat_words);
        do {
            game.deal++;
            start_deal(bot, &game, &table, seed);
            play_trick(bot, &table, 1);
            for (u64 trick = 2; trick <= 13; trick++) play_trick(bot, &table, trick);
        } while (!finish_deal(&game, &table));
        *n_deals += game.deal;
        checksum += game.hash;
    }
    return checksum;
}

typedef u64 play_t(u64 seed, u64 first_game, u64 n_games, u64 *n_deals);
static u64 play_random(u64 seed, u64 first, u64 n, u64 *deals) { return play_games(RANDOM, seed, first, n, deals); }
static u64 play_ducker(u64 seed, u64 first, u64 n, u64 *deals) { return play_games(DUCKER, seed, first, n, deals); }

int main(int n_words, char **words) {
    play_t *play = NULL;
    if (n_words == 5 || n_words == 6) {
        if (!strcmp(words[1], "random")) play = play_random;
        if (!strcmp(words[1], "ducker")) play = play_ducker;
    }
    if (!play) {
        fprintf(stderr, "use: yardstick random|ducker SEED FIRST_GAME N_GAMES [N_REPEATS]\n");
        return 2;
    }
    u64 seed = strtoull(words[2], NULL, 10), first_game = strtoull(words[3], NULL, 10);
    u64 n_games = strtoull(words[4], NULL, 10), n_repeats = n_words == 6 ? strtoull(words[5], NULL, 10) : 1;
    while (n_repeats--) {
        struct timespec start, end;
        u64 deals = 0;
        clock_gettime(CLOCK_MONOTONIC, &start);
        u64 checksum = play(seed, first_game, n_games, &deals);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        printf("{\"games\": %llu, \"deals\": %llu, \"seconds\": %.9f, \"games_per_s\": %.0f, \"checksum\": \"%016llx\"}\n",
               (unsigned long long)n_games, (unsigned long long)deals, seconds, (double)n_games / seconds,
               (unsigned long long)checksum);
        fflush(stdout);
    }
    return 0;
}
