"""The stats.yaml of every pack against its rulebook.

The book's own examples, else every throw counted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from builder.dice.attack_stats import Attack, find_attack_fields, select_attack
from builder.dice.duels import make_duel_side, solve_duel
from builder.dice.odds import DamageWorth, SaveRules, Spread, find_damage, find_mean
from builder.model.pack import Pack
from builder.model.stats import Profile, StatsFile
from builder.packs.loading import load_pack, load_stats
from builder.packs.project import Project
from builder.rules.query import compile_condition
from tests.cli.every_pack import ROOT
from tests.dice.throwing import pool

SIX = range(1, 7)
"""Faces of a die."""


@cache
def loaded(name: str) -> tuple[Pack, StatsFile]:
    project = Project(ROOT)
    pack, (stats, flaws) = load_pack(project, name).pack, load_stats(project, name)
    assert pack is not None
    assert stats is not None
    assert not flaws
    return pack, stats


def attack(
    pack: str,
    form: str,
    card: str,
    path: str = "",
    bearer: str = "",
    choices: Mapping[str, str] | None = None,
) -> Attack:
    """One attack of the pack.

    The form by its English title, the card that holds it, who bears that card.
    """
    game, stats = loaded(pack)
    asked = next(one for one in stats.attacks if one.title["en"] == form)
    data = dict(find_attack_fields(asked, game.cards[card]))[path]
    return Attack(asked, data, game.cards[bearer or card], path, choices or {})


def counted(dice: int, tell: Callable[..., int]) -> Spread:
    """Return what a function of so many dice gives over all throws."""
    found: dict[int, int] = {}
    for throw in product(SIX, repeat=dice):
        value = tell(*throw)
        found[value] = found.get(value, 0) + 1
    return {value: Fraction(number, 6**dice) for value, number in sorted(found.items())}


# Blades at the Gate: «Разрушаемые элементы ландшафта», «Выбивание ворот и дверей»


@pytest.mark.parametrize(("together", "force"), [(3, 15), (2, 10)])
def test_the_brigands_at_the_door_strike_with_the_forces_of_the_example(
    together: int, force: int
) -> None:
    """«4 * 3 + 3 = 15 единиц», then with one held back «4*2 + 2 = 10».

    Against every toughness, a die each.
    """
    joint = attack("blades", "Joint blow at a door or gate", "brigand")
    for toughness in (7, 9, 15, 16, 18):
        won = counted(
            2,
            lambda mine, theirs, t=toughness: int(
                mine + max(0, force - t) > theirs + max(0, t - force)
            ),
        )
        assert (
            joint.find_damage(0, {"toughness": toughness, "given.together": together})
            == won
        )


def test_a_wall_breaker_strikes_as_often_as_slow_allows() -> None:
    """Man-at-arms, strength 5, 2 attacks.

    War axe 3, Slow 2. Vassal knight has 3 attacks, of which Slow leaves 2.
    """
    for bearer, force in (("man-at-arms", 8), ("vassal-knight", 9)):
        axe = attack("blades", "Blows at terrain", "war-axe", bearer=bearer)
        won = counted(
            4, lambda a, b, c, d, f=force: int(a + f > b + 9) + int(c + f > d + 9)
        )
        assert axe.find_damage(0, {"toughness": 9}) == won
        assert axe.find_mean_hits({"toughness": 9}) == 2


# ZOD: chapters 5 and 12.2


def test_three_dice_on_four_as_in_the_example_of_the_starter_rules() -> None:
    """2, 4 and 6 rolled by a weapon with 3 dice, 2 of them damage: one counted case."""
    cannon = attack("zod", "Weapons of machines", "doberman", "weapons.arc-cannon")
    assert cannon.find_mean_hits({"given.modifier": 0}) == Fraction(3, 2)
    # Armour 4, piercing 1: saved on 5 and more, so that 2 of 3 hits come through.
    assert find_mean(
        cannon.find_damage(0, {"armour": 4, "given.modifier": 0})
    ) == Fraction(3, 2) * Fraction(4, 6)


@pytest.mark.parametrize("modifier", [-4, -2, 0, 2])
def test_a_six_hits_whatever_the_modifier_and_armour_may_be_out_of_reach(
    modifier: int,
) -> None:
    """Permafrost rockets: accuracy 4, piercing 2, armour 5 pierced always (7 is needed)."""
    tube = attack("zod", "Weapons of infantry", "border-rockets", "weapons.tube")
    hit = counted(1, lambda die: int(die == 6 or die + modifier >= 4) * 2)
    assert tube.find_damage(0, {"armour": 5, "given.modifier": modifier}) == hit
    assert tube.form.bearers is not None


def test_splinters_are_thrown_once_more_for_what_did_damage() -> None:
    """Two damage, both dice thrown again, one more damage from one of them: 3 in all."""
    pack, stats = loaded("zod")
    form = next(
        one for one in stats.attacks if one.title["en"] == "Weapons of machines"
    )
    data = {
        "power": 2,
        "accuracy": 4,
        "piercing": 0,
        "harm": 1,
        "traits": {"splinter-shell": True},
    }
    shell = Attack(form, data, pack.cards["doberman"], "weapons.shell")

    def hurt(*throw: int) -> int:
        done = 0
        for hit, save, again, guard in (throw[:4], throw[4:]):
            if hit >= 4 and save < 5:
                done += 2 if again >= 4 and guard < 5 else 1
        return done

    assert shell.find_damage(0, {"armour": 5, "given.modifier": 0}) == counted(8, hurt)


def test_a_stomp_needs_no_hit_and_treads_harder_on_infantry() -> None:
    stomp = attack("zod", "Stomp", "doberman")
    for dice in (0, 2):
        assert find_mean(stomp.find_damage(0, {"armour": 4, "given.dice": dice})) == (
            4 + dice
        ) * Fraction(4, 6)


# World of War: «по общим правилам»


def needed(strength: int, toughness: int) -> int:
    """Return the wound table as the big game prints it."""
    ratio = Fraction(strength, toughness)
    return (
        2
        if ratio >= 2
        else 3
        if ratio > 1
        else 4
        if ratio == 1
        else 6
        if ratio <= Fraction(1, 2)
        else 5
    )


def test_a_shot_hits_wounds_and_is_saved() -> None:
    """A card's weapon such as Ringleader's, one die at a time, for all toughness and saves."""
    pack, stats = loaded("worldofwar")
    form = stats.attacks[0]
    data = {"type": "pistol", "shots": "2", "strength": 4, "ap": -1, "damage": "1"}
    shot = Attack(form, data, pack.cards["provost"], "weapons.x")
    skill = pack.cards["provost"].get_field("ballistic-skill")
    assert isinstance(skill, int)
    for toughness, save in product((2, 3, 4, 5, 8), (2, 4, 6, 7)):

        def one(
            hit: int, wound: int, guard: int, t: int = toughness, sv: int = save
        ) -> int:
            return int(
                hit >= skill
                and wound >= needed(4, t)
                and not (guard > 1 and guard - 1 >= sv)
            )

        single = counted(3, one)
        chance = single.get(1, Fraction(0))
        expected_two = {
            0: (1 - chance) ** 2,
            1: 2 * chance * (1 - chance),
            2: chance**2,
        }
        found = shot.find_damage(0, {"toughness": toughness, "armour-save": save})
        assert found == {value: part for value, part in expected_two.items() if part}


def test_shots_and_damage_that_are_thrown() -> None:
    """The Boiler Gunner's d6 shots, each of damage 1; the Cantor's stave with d3 a wound."""
    mortar = attack("worldofwar", "Shooting", "boiler-gunner", "weapons.indirect")
    profile: Profile = {"toughness": 5, "armour-save": 6}
    through = (
        Fraction(2, 6) * Fraction(1, 2) * Fraction(5, 6)
    )  # BS 5, strength 5 on toughness 5, a save of 6
    assert find_mean(mortar.find_damage(0, profile)) == Fraction(7, 2) * through
    assert sum(mortar.find_damage(0, profile).values()) == 1
    sickle = attack("worldofwar", "Melee", "bog-witch", "weapons.sickle")
    # One blow on 4, strength 3 on toughness 3, AP −1 on a save of 3: saved on 4 and more.
    wounded = Fraction(1, 2) * Fraction(1, 2) * Fraction(1, 2)
    third = wounded / 3
    assert sickle.find_damage(0, {"toughness": 3, "armour-save": 3}) == {
        0: 1 - wounded,
        1: third,
        2: third,
        3: third,
    }


@pytest.mark.parametrize(
    ("choices", "change"),
    [
        ({}, (0, 0, 0, False)),
        ({"leader": "leader-duellist", "leader-roll": "1"}, (1, 0, 0, False)),
        ({"leader": "leader-duellist", "leader-roll": "2"}, (0, 1, 0, False)),
        ({"leader": "leader-duellist", "leader-roll": "3"}, (0, 0, 1, False)),
        ({"trait": "weapon-master"}, (0, 0, 1, False)),
        ({"trait": "hatred"}, (0, 0, 0, True)),
    ],
    ids=["none", "strength", "attacks", "skill", "mastery", "hatred"],
)
def test_traits_of_leader_and_specialists_count(
    choices: Mapping[str, str], change: tuple[int, int, int, bool]
) -> None:
    """«+1 Силу», «+1 Атаку», «+1 WS», «+1 на попадания», «переброс "1" на попадание».

    The Foreman's pick.
    """
    pick = attack("worldofwar", "Melee", "foreman", "weapons.pick", choices=choices)
    stronger, more, better, again = change
    hit = Fraction(7 - (3 - better), 6)  # WS 3
    hit += hit * Fraction(1, 6) if again else 0
    wound = Fraction(7 - needed(5 + stronger, 5), 6)
    save = Fraction(1, 6)  # AP −2 on a save of 4: only a six
    mean = (3 + more) * hit * wound * (1 - save)
    assert find_mean(pick.find_damage(0, {"toughness": 5, "armour-save": 4})) == mean


@pytest.mark.parametrize(
    ("trait", "wound"),
    [("poison-3", Fraction(4, 6)), ("rending", Fraction(2, 6) * Fraction(7, 6))],
)
def test_traits_of_a_blade_count(trait: str, wound: Fraction) -> None:
    """The Foreman's pick, strength 5: on toughness 6 it wounds on 5, with poison on 3.

    Torn wounds are thrown again.
    """
    pick = attack(
        "worldofwar",
        "Melee",
        "foreman",
        "weapons.pick",
        choices={"trait": trait, "melee-weapon": "pick"},
    )
    assert (
        find_mean(pick.find_damage(0, {"toughness": 6, "armour-save": 7}))
        == 3 * Fraction(4, 6) * wound
    )
    other = attack(
        "worldofwar",
        "Melee",
        "foreman",
        "weapons.pick",
        choices={"trait": trait, "melee-weapon": "hook"},
    )
    assert find_mean(
        other.find_damage(0, {"toughness": 6, "armour-save": 7})
    ) == 3 * Fraction(4, 6) * Fraction(2, 6)


@pytest.mark.parametrize(
    ("choices", "hit", "wound"),
    [
        ({}, Fraction(2, 6), Fraction(3, 6)),
        (
            {"trait": "gunsight", "ranged-weapon": "pistol"},
            Fraction(2, 6) * Fraction(7, 6),
            Fraction(3, 6),
        ),
        (
            {"trait": "poison-4", "ranged-weapon": "pistol"},
            Fraction(2, 6),
            Fraction(3, 6),
        ),
        (
            {"leader": "leader-hunter", "leader-roll": "1"},
            Fraction(2, 6) * Fraction(7, 6),
            Fraction(3, 6),
        ),
        (
            {"leader": "leader-hunter", "leader-roll": "2"},
            Fraction(2, 6),
            Fraction(3, 6) * Fraction(7, 6),
        ),
    ],
    ids=["none", "gunsight", "poison", "hunter 1", "hunter 2"],
)
def test_traits_of_shooting_count(
    choices: Mapping[str, str], hit: Fraction, wound: Fraction
) -> None:
    """The Foreman's pistol, BS 5, strength 4 on toughness 4.

    Then on toughness 6, where only poison still needs a 4.
    """
    pistol = attack(
        "worldofwar", "Shooting", "foreman", "weapons.pistol", choices=choices
    )
    assert (
        find_mean(pistol.find_damage(0, {"toughness": 4, "armour-save": 7}))
        == hit * wound
    )
    tough = find_mean(pistol.find_damage(0, {"toughness": 6, "armour-save": 7}))
    assert tough == hit * (
        wound if "poison-4" in choices.values() else wound * Fraction(2, 3)
    )


@pytest.mark.parametrize("trait", ["gunsight", "poison-4"])
def test_a_trait_of_one_weapon_counts_for_the_chosen_weapon_alone(trait: str) -> None:
    """The Sapper has a pistol and a charge, and chose the pistol: the charge is as it was."""
    target: Profile = {"toughness": 6, "armour-save": 7}
    choices = {
        "speciality": "specialist-ranged",
        "trait": trait,
        "ranged-weapon": "pistol",
    }
    for weapon in ("pistol", "charge"):
        plain = attack("worldofwar", "Shooting", "sapper", f"weapons.{weapon}")
        chosen = attack(
            "worldofwar", "Shooting", "sapper", f"weapons.{weapon}", choices=choices
        )
        better = find_mean(chosen.find_damage(0, target)) > find_mean(
            plain.find_damage(0, target)
        )
        assert better == (weapon == "pistol")


def test_a_power_needs_its_charge_on_two_dice() -> None:
    """«Варп Копье (WC 6) … 7 -3 1, 1 выстрел»; Gamma Psyker adds 1 to the test."""
    for choices, chance in (
        ({}, Fraction(26, 36)),
        ({"trait": "gamma-psyker"}, Fraction(30, 36)),
    ):
        spear = attack(
            "worldofwar", "Powers", "power-warp-spear", bearer="cantor", choices=choices
        )
        assert spear.find_mean_hits({}) == chance
        mean = (
            chance * Fraction(5, 6) * Fraction(5, 6)
        )  # strength 7 on toughness 3; a save of 3 becomes 6
        assert (
            find_mean(spear.find_damage(0, {"toughness": 3, "armour-save": 3})) == mean
        )


# Kill Team


def test_the_volley_of_the_example() -> None:
    """«2, 4, 4, 6» on 4 against one common save, 2/3 damage.

    Five wounds in all, as the book's example counts.
    """
    sure = Fraction(1)
    saves = SaveRules({(1, 0): sure}, two_for_strong=True, strong_for_common=False)
    found = find_damage({(2, 1): sure}, DamageWorth({2: sure}, {3: sure}), saves)
    assert found == {5: sure}


def kept(throw: Iterable[int], need: int) -> list[int]:
    """Successes of a throw: 1 a common one, 2 a critical one."""
    return [2 if die == 6 else 1 for die in throw if die >= need]


def test_a_weapon_that_throws_ones_again_and_pierces_armour() -> None:
    pack, stats = loaded("killteam")
    card = pack.cards["oath-almoner"]
    rules = {"wr-hail": {}, "wr-piercing": {"value": 2}}
    data = {
        "attacks": 1,
        "skill": 4,
        "damage": {"normal": 2, "critical": 5},
        "rules": rules,
    }
    gun = Attack(stats.attacks[0], data, card, "ranged.x")

    def harm(first: int, second: int, save: int) -> int:
        hits = kept([second if first == 1 else first], 4)
        saved = kept([save], 3)
        if not hits or (saved and saved[0] == hits[0]):
            return 0
        return 2 if hits == [1] else 5

    assert gun.find_damage(0, {"df": 3, "sv": 3}) == counted(3, harm)


def test_mortal_wounds_come_through_and_rending_sharpens() -> None:
    pack, stats = loaded("killteam")
    card = pack.cards["oath-almoner"]
    critical = {"cr-mortal": {"value": 3}, "cr-rend": {}}
    data = {
        "attacks": 2,
        "skill": 3,
        "damage": {"normal": 1, "critical": 4},
        "critical_rules": critical,
    }
    gun = Attack(stats.attacks[0], data, card, "ranged.x")

    def harm(one: int, two: int) -> int:
        hits = sorted(kept([one, two], 3))
        if hits == [1, 2]:
            hits = [2, 2]
        return sum({1: 1, 2: 4 + 3}[hit] for hit in hits)

    assert gun.find_damage(0, {"df": 0, "sv": 3}) == counted(2, harm)


@pytest.mark.parametrize(
    ("defence", "armour_piercing"), [(3, 1), (3, 0), (2, 0), (1, 0)]
)
def test_punch_through_takes_defence_dice_away_where_a_hit_is_critical(
    defence: int, armour_piercing: int
) -> None:
    """«Прошивание 2»: with a critical hit the target throws 2 dice fewer.

    «Пробитие брони» adds to that.
    """
    pack, stats = loaded("killteam")
    data = {
        "attacks": 2,
        "skill": 4,
        "damage": {"normal": 3, "critical": 4},
        "rules": {"wr-piercing": {"value": armour_piercing}},
        "critical_rules": {"cr-pierce": {"value": 2}},
    }
    gun = Attack(stats.attacks[0], data, pack.cards["oath-wallgun"], "ranged.x")

    def harm(one: int, two: int, *saves: int) -> int:
        hits = kept([one, two], 4)
        dice = defence - armour_piercing - (2 if 2 in hits else 0)
        saved = kept(saves[: max(dice, 0)], 3)
        return min(loss for loss in losses(hits, saved))

    def losses(hits: list[int], saved: list[int]) -> Iterable[int]:
        """Yield the harm of every way to use the saves.

        One for one of its kind, two common ones for a critical hit.
        """
        common, critical = hits.count(1), hits.count(2)
        for by_pair in range(min(critical, saved.count(1) // 2) + 1):
            left = max(0, common - (saved.count(1) - 2 * by_pair))
            yield 3 * left + 4 * max(0, critical - by_pair - saved.count(2))

    assert gun.find_damage(0, {"df": defence, "sv": 3}) == counted(2 + defence, harm)


def test_the_wallgun_of_the_pack_punches_through() -> None:
    ball = attack("killteam", "Shooting", "oath-wallgun", "ranged.solid")
    rules = {key: value for key, value in ball.data.items() if key != "critical_rules"}
    dull = Attack(ball.form, rules, ball.model, ball.path)
    for defence in (1, 2, 3):
        profile: Profile = {"df": defence, "sv": 4}
        # One die is gone by Armour Piercing; what is left to take away makes the difference.
        assert (
            find_mean(ball.find_damage(0, profile))
            > find_mean(dull.find_damage(0, profile))
        ) == (defence > 1)


def test_a_fight_takes_its_numbers_from_both_cards() -> None:
    """«Зверское» guards, «Выверенное» rerolls a die, «Добивающее» strikes at once; own wounds."""
    hammer, lancet = (
        attack("killteam", "Fighting", "oath-bellringer", "melee.hammer"),
        attack("killteam", "Fighting", "oath-almoner", "melee.lancet"),
    )
    duel = hammer.form.duel
    assert duel is not None
    one, other = (
        make_duel_side(duel, hammer.make_reading({})),
        make_duel_side(duel, lancet.make_reading({})),
    )
    assert one is not None
    assert other is not None
    assert (one.worth, one.strong, one.stamina, one.is_guarded, one.sure) == (
        5,
        6,
        12,
        True,
        0,
    )
    assert (other.worth, other.strong, other.stamina, other.is_guarded, other.sure) == (
        3,
        4,
        11,
        False,
        1,
    )
    assert dict(one.split) == dict(pool(4, 6, 4, 6))
    found = solve_duel(one, other, duel)
    assert found.dealt > found.taken


# Hydrophilia


def test_a_skill_is_rolled_like_an_attack_and_a_trap_needs_no_roll() -> None:
    burst = attack("hydrophilia", "Skills with damage", "remora", "skills.burst")
    assert burst.find_mean_hits({"evasion": 10}) == Fraction(21, 36)  # 2d6 + 3
    assert find_mean(burst.find_damage(0, {"evasion": 10, "defence": 4})) == Fraction(
        21, 36
    ) * 4 * Fraction(1, 2)
    mine = attack("hydrophilia", "Traps", "tripwire", "skills.mine")
    assert find_mean(mine.find_damage(0, {"defence": 5})) == 3 * Fraction(1, 3)


def test_properties_of_attacks_count() -> None:
    """«Бронебойное»: a defence of 5 or more is lower by 1.

    «Дробовое»: evasion is never more than 11.
    """
    revolver = attack(
        "hydrophilia", "Direct and area attacks", "captain-davis", "attacks.revolver"
    )
    for defence, chance in (
        (4, Fraction(1, 2)),
        (5, Fraction(1, 2)),
        (6, Fraction(1, 3)),
    ):
        found = find_mean(revolver.find_damage(0, {"evasion": 8, "defence": defence}))
        assert found == revolver.find_mean_hits({"evasion": 8}) * 3 * chance
    assert revolver.find_damage(0, {"evasion": 8, "defence": None}) == {0: 1}
    shotgun = attack(
        "hydrophilia", "Direct and area attacks", "shieldbearer", "attacks.pump-gun"
    )
    assert shotgun.find_mean_hits({"evasion": 14}) == shotgun.find_mean_hits(
        {"evasion": 11}
    )


# All packs


@pytest.mark.parametrize(
    "name", ["hydrophilia", "killteam", "worldofwar", "zod", "blades"]
)
def test_every_form_meets_a_card_and_its_chances_sum_to_one(name: str) -> None:
    pack, stats = loaded(name)
    met = set()
    for form in stats.attacks:
        assert form.rulebook
        passes = compile_condition(form.where)
        for card in pack.cards.values():
            for path, data in find_attack_fields(form, card):
                if not passes(select_attack(card, data), None):
                    continue
                met.add(form.title["en"])
                one = Attack(form, data, card, path)
                for index in range(form.count_damages()):
                    spread = one.find_damage(
                        index, dict.fromkeys(form.list_damage_axes(index), 3)
                    )
                    assert sum(spread.values()) == 1
                    assert min(spread) >= 0
    assert met == {form.title["en"] for form in stats.attacks}


@pytest.mark.parametrize(
    ("one", "axis", "values"),
    [
        (
            (
                "hydrophilia",
                "Direct and area attacks",
                "captain-davis",
                "attacks.revolver",
            ),
            "evasion",
            range(6, 15),
        ),
        (
            (
                "hydrophilia",
                "Direct and area attacks",
                "captain-davis",
                "attacks.revolver",
            ),
            "defence",
            range(2, 7),
        ),
        (("killteam", "Shooting", "oath-almoner", "ranged.carbine"), "df", range(6)),
        (
            ("killteam", "Shooting", "oath-almoner", "ranged.carbine"),
            "sv",
            range(6, 1, -1),
        ),
        (
            ("worldofwar", "Shooting", "boiler-gunner", "weapons.indirect"),
            "toughness",
            range(1, 11),
        ),
        (
            ("worldofwar", "Shooting", "boiler-gunner", "weapons.indirect"),
            "armour-save",
            range(7, 1, -1),
        ),
        (
            ("zod", "Weapons of machines", "doberman", "weapons.arc-cannon"),
            "armour",
            range(6, 1, -1),
        ),
        (
            ("zod", "Weapons of machines", "doberman", "weapons.arc-cannon"),
            "given.modifier",
            range(3, -4, -1),
        ),
        (
            ("blades", "Joint blow at a door or gate", "brigand", ""),
            "toughness",
            range(4, 20),
        ),
        (
            ("blades", "Joint blow at a door or gate", "brigand", ""),
            "given.together",
            range(5, 0, -1),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_harder_target_never_takes_more(
    one: tuple[str, str, str, str], axis: str, values: Iterable[int]
) -> None:
    shot = attack(*one)
    usual: Profile = {
        **dict.fromkeys(
            ("evasion", "defence", "df", "sv", "toughness", "armour-save", "armour"), 4
        ),
        **{"given.modifier": 0, "given.together": 2},
    }
    means = [find_mean(shot.find_damage(0, {**usual, axis: value})) for value in values]
    assert means == sorted(means, reverse=True)
    assert means[0] > means[-1]
