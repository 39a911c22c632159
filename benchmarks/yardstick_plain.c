/* The same Hearts games as hearts-sim, in C, as one writes them: the first yardstick of docs/performance.md.
 *
 * Standard rules, four equal bots (random or ducker), whole games to 100 with passing, bitboards, no function
 * pointers: each bot is compiled into its own copy of the game. The random streams are those of docs/design.md, so the
 * games are the same card for card. yardstick.c is the same with every branch removed that no processor can predict.
 *
 * Build: cc -O3 -march=native -fno-tree-vectorize -fno-tree-slp-vectorize -o yardstick_plain yardstick_plain.c
 * Use:   yardstick_plain random|ducker SEED FIRST_GAME N_GAMES [N_REPEATS]
 *
 * Prints a line of JSON for each repeat; the checksum is explained in yardstick.c.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef unsigned __int128 u128;

#define CLUBS 0x1111111111111ULL
#define HEARTS (CLUBS << 3)
#define QUEEN (1ULL << (4 * 10 + 2))
#define DECK ((1ULL << 52) - 1)
#define WEYL_0 0x9E3779B97F4A7C15ULL
#define WEYL_1 0xBB67AE8584CAA73BULL
#define INLINE static inline __attribute__((always_inline))

enum { RANDOM, DUCKER };

INLINE u64 high(u64 a, u64 b) { return (u64)((u128)a * b >> 64); }
INLINE u64 lowest(u64 cards) { return cards & -cards; }
INLINE u64 highest(u64 cards) { return 1ULL << (63 - __builtin_clzll(cards)); }
INLINE u64 suit_of(u64 card) { return CLUBS << (__builtin_ctzll(card) & 3); }

INLINE u64 nth_card(u64 cards, u64 n) {
#ifdef __BMI2__
    return _pdep_u64(1ULL << n, cards);
#else
    while (n--) cards &= cards - 1;
    return lowest(cards);
#endif
}

INLINE u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

INLINE void philox(u64 seed, u64 purpose, u64 block, u64 deal, u64 game, u64 words[4]) {
    u64 c0 = block, c1 = deal, c2 = game, c3 = 0, k0 = seed, k1 = purpose;
    for (int i = 0; i < 10; i++) {
        u128 p0 = (u128)0xD2E7470EE14C6C93ULL * c0, p1 = (u128)0xCA5A826395121157ULL * c2;
        c0 = (u64)(p1 >> 64) ^ c1 ^ k0;
        c1 = (u64)p1;
        c2 = (u64)(p0 >> 64) ^ c3 ^ k1;
        c3 = (u64)p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

/* One group of draws from one word: bounds size, size - 1, ..., whose product stays under 2**56. */
#define PRODUCT_10(n) ((u64)(n) * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5) * (n - 6) * (n - 7) * (n - 8) * (n - 9))

typedef struct {
    u64 words[4], seed, deal, game;
    int used;
} words_t;

INLINE u64 next_word(words_t *w, u64 product) {
    for (;;) {
        if ((w->used & 3) == 0) philox(w->seed, 1, (u64)w->used >> 2, w->deal, w->game, w->words);
        u64 word = w->words[w->used++ & 3];
        if (__builtin_expect(word * product >= product, 1) || word * product >= -product % product) return word;
    }
}

INLINE void deal_hands(u64 seed, u64 game, u64 deal, u64 hands[4]) {
    static const int sizes[4] = {10, 10, 11, 8};
    static const u64 products[4] = {PRODUCT_10(52), PRODUCT_10(42), PRODUCT_10(32) * 22, PRODUCT_10(21) / (13 * 12)};
    words_t words = {{0}, seed, deal, game, 0};
    u64 left = DECK, size = 52, hand = 0;
    int drawn = 0;
    for (int group = 0; group < 4; group++) {
        u64 word = next_word(&words, products[group]);
        for (int i = 0; i < sizes[group]; i++) {
            u64 card = nth_card(left, high(word, size));
            word *= size--;
            left ^= card;
            hand |= card;
            if (++drawn % 13 == 0) hands[drawn / 13 - 1] = hand, hand = 0;
        }
    }
    hands[3] = left;
}

typedef struct {
    u64 start, draws;
} stream_t;

INLINE u64 draw_below(stream_t *stream, u64 n) {
    for (;;) {
        u64 word = mix(stream->start + ++stream->draws * WEYL_0), low = word * n;
        if (__builtin_expect(low >= n, 1) || low >= -n % n) return high(word, n);
    }
}

INLINE u64 choose_pass(int bot, u64 hand, stream_t *stream) {
    u64 chosen = 0;
    for (int i = 0; i < 3; i++) {
        u64 left = hand ^ chosen;
        chosen |= bot == RANDOM ? nth_card(left, draw_below(stream, __builtin_popcountll(left))) : highest(left);
    }
    return chosen;
}

INLINE u64 choose_lead(int bot, u64 legal, stream_t *stream) {
    return bot == RANDOM ? nth_card(legal, draw_below(stream, __builtin_popcountll(legal))) : lowest(legal);
}

INLINE u64 choose_follow(int bot, u64 legal, u64 led, u64 best, stream_t *stream) {
    if (bot == RANDOM) return nth_card(legal, draw_below(stream, __builtin_popcountll(legal)));
    if (legal & led) {
        u64 losing = legal & led & (best - 1);
        return losing ? highest(losing) : lowest(legal);
    }
    if (legal & QUEEN) return QUEEN;
    return legal & HEARTS ? highest(legal & HEARTS) : highest(legal);
}

/* Play 13 tricks; points of each seat, before the moon, are left in points. */
INLINE void play_tricks(int bot, u64 hands[4], stream_t streams[4], int points[4]) {
    int leader = 0, broken = 0;
    for (int seat = 0; seat < 4; seat++) {
        points[seat] = 0;
        u64 clubs = hands[seat] & CLUBS;
        if (lowest(clubs) == 1) leader = seat;
    }
    for (int trick = 1; trick <= 13; trick++) {
        u64 hand = hands[leader], legal = hand;
        if (trick == 1) {
            legal = 1;
        } else if (!broken && (hand & ~HEARTS)) {
            legal = hand & ~HEARTS;
        }
        u64 card = legal, cards, led, best;
        if (legal & (legal - 1)) {
            streams[leader].draws = (u64)trick << 32;
            card = choose_lead(bot, legal, &streams[leader]);
        }
        hands[leader] ^= card;
        cards = best = card;
        led = suit_of(card);
        int winner = leader;
        u64 barred = trick == 1 ? HEARTS | QUEEN : 0;
        for (int turn = 1; turn < 4; turn++) {
            int seat = (leader + turn) & 3;
            hand = hands[seat];
            legal = hand & led ? hand & led : hand;
            if (legal & ~barred) legal &= ~barred;
            card = legal;
            if (legal & (legal - 1)) {
                streams[seat].draws = (u64)trick << 32;
                card = choose_follow(bot, legal, led, best, &streams[seat]);
            }
            hands[seat] = hand ^ card;
            cards |= card;
            u64 following = card & led;
            winner = following > best ? seat : winner;
            best = following > best ? following : best;
        }
        points[winner] += __builtin_popcountll(cards & HEARTS) + (cards & QUEEN ? 13 : 0);
        broken |= (cards & HEARTS) != 0;
        leader = winner;
    }
}

INLINE u64 play_games(int bot, u64 seed, u64 first_game, u64 n_games, u64 *n_deals) {
    static const int offsets[4] = {1, 3, 2, 0};
    u64 checksum = 0;
    for (u64 game = first_game; game < first_game + n_games; game++) {
        int scores[4] = {0}, most = 0;
        u64 fold = mix(game), seat_words[4] = {0};
        if (bot == RANDOM) philox(seed, 2, 0, 0, game, seat_words);
        for (u64 deal = 1; most < 100; deal++) {
            u64 hands[4];
            stream_t streams[4];
            int points[4], offset = offsets[(deal - 1) & 3];
            deal_hands(seed, game, deal, hands);
            for (int seat = 0; seat < 4; seat++) {
                streams[seat].start = bot == RANDOM ? mix(mix(seat_words[seat] + deal * WEYL_0)) : 0;
                streams[seat].draws = 0;
            }
            if (offset) {
                u64 passed[4];
                for (int seat = 0; seat < 4; seat++) {
                    passed[seat] = choose_pass(bot, hands[seat], &streams[seat]);
                    hands[seat] ^= passed[seat];
                }
                for (int seat = 0; seat < 4; seat++) hands[(seat + offset) & 3] |= passed[seat];
            }
            play_tricks(bot, hands, streams, points);
            int shooter = -1;
            u64 row = deal;
            for (int seat = 0; seat < 4; seat++) shooter = points[seat] == 26 ? seat : shooter;
            for (int seat = 0; seat < 4; seat++) {
                if (shooter >= 0) points[seat] = seat == shooter ? 0 : 26;
                scores[seat] += points[seat];
                most = scores[seat] > most ? scores[seat] : most;
                row = row << 8 | (u64)points[seat];
            }
            fold = mix(fold + row);
            ++*n_deals;
        }
        checksum += fold;
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
        fprintf(stderr, "use: yardstick_plain random|ducker SEED FIRST_GAME N_GAMES [N_REPEATS]\n");
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
